import { type ApiItem, present, recordOf } from './api-item.ts';

/** The fields that the API has for each part: no others are taken out of `providerData`. */
const PART_FIELDS: Readonly<Record<string, ReadonlySet<string>>> = {
  input_text: new Set(['text', 'prompt_cache_breakpoint']),
  input_image: new Set(['image_url', 'file_id', 'detail', 'prompt_cache_breakpoint']),
  input_file: new Set(['file_id', 'file_url', 'file_data', 'filename', 'detail', 'prompt_cache_breakpoint']),
  output_text: new Set(['text', 'annotations', 'logprobs']),
  refusal: new Set(['refusal']),
  summary_text: new Set(['text']),
};

/** `undefined` for a part that the Agents SDK has no name for. */
export function toAgentPart(part: unknown): ApiItem | undefined {
  const { type, ...fields } = recordOf(part) ?? {};
  const { prompt_cache_breakpoint: breakpoint, ...rest } = fields;
  const common = breakpoint ? { promptCacheBreakpoint: breakpoint } : {};
  switch (type) {
    case 'input_text': {
      const { text, ...others } = rest;
      return withRest({ type, text, ...common }, others);
    }
    case 'input_image': {
      const { image_url: url, file_id: id, detail, ...others } = rest;
      const image = url ?? (id ? { id } : undefined);
      return withRest(
        present({ type, image, detail, ...common }),
        url && id ? { file_id: id, ...others } : others,
      );
    }
    case 'input_file': {
      const { file_data: data, file_url: url, file_id: id, filename, ...others } = rest;
      const file = data ?? (url ? { url } : id ? { id } : undefined);
      const second = present({ file_url: data ? url : undefined, file_id: data || url ? id : undefined });
      return withRest(present({ type, file, filename: filename ?? undefined, ...common }), {
        ...second,
        ...others,
      });
    }
    case 'output_text': {
      const { text, ...others } = fields;
      return withRest({ type, text }, others);
    }
    case 'refusal': {
      const { refusal, ...others } = fields;
      return withRest({ type, refusal }, others);
    }
    default:
      return undefined;
  }
}

/** All of the parts, or `undefined` if there is one without a name. */
export function toAgentParts(parts: unknown, allowed: readonly string[]): ApiItem[] | undefined {
  if (!Array.isArray(parts)) return undefined;
  const converted = parts.map((part) => {
    const agentPart = toAgentPart(part);
    return agentPart && allowed.includes(agentPart.type as string) ? agentPart : undefined;
  });
  return converted.includes(undefined) ? undefined : (converted as ApiItem[]);
}

/** `undefined` for a part that the API has no name for. */
export function toApiPart(part: unknown): ApiItem | undefined {
  const given = recordOf(part) ?? {};
  const { type, text, detail, refusal } = given;
  switch (type) {
    case 'input_text':
    case 'text':
      return apiPart('input_text', given, { text });
    case 'input_image':
    case 'image':
      return apiPart('input_image', given, { ...imageSource(given), detail }, { detail: 'auto' });
    case 'input_file':
    case 'file':
      return apiPart('input_file', given, fileSource(given));
    case 'output_text':
      return apiPart('output_text', given, { text }, { annotations: [], logprobs: [] });
    case 'refusal':
      return apiPart('refusal', given, { refusal });
    default:
      return undefined;
  }
}

function apiPart(type: string, given: ApiItem, named: ApiItem, defaults: ApiItem = {}): ApiItem {
  const { promptCacheBreakpoint, providerData } = given;
  return {
    type,
    ...defaults,
    ...takenFrom(providerData, PART_FIELDS[type]!),
    ...present({ ...named, prompt_cache_breakpoint: promptCacheBreakpoint }),
  };
}

function imageSource({ image, imageUrl, fileId, data, mediaType }: ApiItem): ApiItem {
  if (typeof image === 'string') return { image_url: image };
  const named = recordOf(image) ?? { url: imageUrl, fileId, data, mediaType };
  const bytes = named.data ?? data;
  return present({
    image_url: named.url ?? (bytes ? dataUrl(bytes, named.mediaType ?? mediaType) : undefined),
    file_id: named.id ?? named.fileId,
  });
}

function fileSource(part: ApiItem): ApiItem {
  const { file, fileData, fileUrl, fileId } = part;
  const named = recordOf(file) ?? { url: fileUrl, fileId, data: fileData, mediaType: part.mediaType };
  const filename = part.filename ?? named.filename;
  if (typeof file === 'string') {
    return present({ ...(/^https?:\/\//.test(file) ? { file_url: file } : { file_data: file }), filename });
  }
  const bytes = named.data;
  return present({
    file_data: bytes ? dataUrl(bytes, named.mediaType ?? 'text/plain') : undefined,
    file_url: named.url,
    file_id: named.id ?? named.fileId,
    filename,
  });
}

function dataUrl(data: unknown, mediaType: unknown): unknown {
  const text = data instanceof Uint8Array ? base64(data) : data;
  if (typeof text !== 'string' || text.startsWith('data:') || typeof mediaType !== 'string') return text;
  return `data:${mediaType};base64,${text}`;
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** What has no name among the Agents SDK's goes under `providerData`. */
export function withRest(named: ApiItem, rest: ApiItem): ApiItem {
  const kept = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null);
  return kept.length > 0 ? { ...named, providerData: Object.fromEntries(kept) } : named;
}

/** The fields of `providerData` that the API takes, by either spelling of their names. */
export function takenFrom(providerData: unknown, fields: ReadonlySet<string>): ApiItem {
  const named = Object.entries(recordOf(providerData) ?? {}).map(([name, value]) => {
    return [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value] as const;
  });
  return Object.fromEntries(
    named.filter(([name, value]) => fields.has(name) && value !== undefined && value !== null),
  );
}
