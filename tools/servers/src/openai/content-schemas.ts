import { z } from 'zod';

const cacheBreakpoint = z.strictObject({
  mode: z.literal('explicit'),
  ttl: z.enum(['30m', '12h']).optional(),
});
const detail = z.enum(['low', 'high', 'auto', 'original']);

const inputText = z.strictObject({
  type: z.literal('input_text'),
  text: z.string().max(10_485_760),
  prompt_cache_breakpoint: cacheBreakpoint.nullish(),
});

const inputImage = z.strictObject({
  type: z.literal('input_image'),
  image_url: z.string().max(20_971_520).nullish(),
  file_id: z.string().nullish(),
  detail: detail.nullish(),
  prompt_cache_breakpoint: cacheBreakpoint.nullish(),
});

const inputFile = z.strictObject({
  type: z.literal('input_file'),
  file_id: z.string().nullish(),
  filename: z.string().nullish(),
  file_data: z.string().max(73_400_320).nullish(),
  file_url: z.string().nullish(),
  detail: z.enum(['auto', 'low', 'high']).optional(),
  prompt_cache_breakpoint: cacheBreakpoint.nullish(),
});

const logProb = z.looseObject({ token: z.string(), logprob: z.number(), bytes: z.array(z.int()) });

const outputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(
    z.looseObject({
      type: z.enum(['file_citation', 'url_citation', 'container_file_citation', 'file_path']),
    }),
  ),
  // The published schema asks for it, the types of the client do not.
  logprobs: z.array(logProb).optional(),
});

const refusal = z.strictObject({ type: z.literal('refusal'), refusal: z.string() });

/** A part of what goes into a model: text, an image or a file. */
export const inputPart = z.discriminatedUnion('type', [inputText, inputImage, inputFile]);

/** A part of what came out of one. */
export const outputPart = z.discriminatedUnion('type', [outputText, refusal]);

/** What a tool gave back. */
export const toolOutput = z.union([z.string().max(10_485_760), z.array(inputPart)]);

export const screenshot = z.strictObject({
  type: z.literal('computer_screenshot'),
  image_url: z.string().nullish(),
  file_id: z.string().nullish(),
  detail: detail.optional(),
});

const point = z.strictObject({ x: z.int(), y: z.int() });
const keys = z.array(z.string()).nullish();

export const computerAction = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('click'),
    button: z.enum(['left', 'right', 'wheel', 'back', 'forward']),
    ...point.shape,
    keys,
  }),
  // Its `keys` are required by the published schema, and given by no client.
  z.strictObject({ type: z.literal('double_click'), ...point.shape, keys }),
  z.strictObject({ type: z.literal('drag'), path: z.array(point), keys }),
  z.strictObject({ type: z.literal('keypress'), keys: z.array(z.string()) }),
  z.strictObject({ type: z.literal('move'), ...point.shape, keys }),
  z.strictObject({ type: z.literal('screenshot') }),
  z.strictObject({ type: z.literal('scroll'), ...point.shape, scroll_x: z.int(), scroll_y: z.int(), keys }),
  z.strictObject({ type: z.literal('type'), text: z.string() }),
  z.strictObject({ type: z.literal('wait') }),
]);
