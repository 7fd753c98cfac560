import { setTracingDisabled } from '@openai/agents';
import { type Model, startOpenAI } from '@sessions/servers';
import { OpenAI } from 'openai';

/** The API that there is: OpenAI's with a key in the environment, a stand-in on this machine without. */
export async function connect(): Promise<{ client: OpenAI; about: string; stop(): Promise<void> }> {
  if (process.env.OPENAI_API_KEY) {
    return { client: new OpenAI(), about: 'OpenAI', stop: async () => undefined };
  }
  // Traces would be sent to OpenAI.
  setTracingDisabled(true);
  const api = await startOpenAI();
  api.script(guide);
  return {
    client: new OpenAI({ baseURL: api.baseURL, apiKey: api.apiKey }),
    about: 'a stand-in, whose model is a script; set OPENAI_API_KEY to talk to the real one',
    stop: () => api.stop(),
  };
}

/** Plays a model: thinks and looks a city up, then thinks and answers. */
export const guide: Model = ({ items }) => {
  const thought = { type: 'reasoning', summary: [] };
  const last = items.at(-1)!;
  if (last.type === 'function_call_output') {
    return [thought, { type: 'message', role: 'assistant', content: `${String(last.output)}.` }];
  }
  const [, city] = /How is (\w+)/.exec(JSON.stringify(last)) ?? [];
  const call_id = `call_${crypto.randomUUID()}`;
  return [thought, { type: 'function_call', call_id, name: 'weather', arguments: JSON.stringify({ city }) }];
};
