import { styleText } from 'node:util';
import { type AgentInputItem, run, type Session } from '@openai/agents';
import { agent } from './agent.ts';

/**
 * One turn of a conversation, printed while it goes on.
 *
 * @param onWord - called for each bit of the answer
 * @returns the items that the turn consists of
 */
export async function talk(
  session: Session,
  message: string,
  onWord: () => void = () => undefined,
): Promise<AgentInputItem[]> {
  print('user', `${message}\n`);
  const turn = await run(agent, message, { session, stream: true });
  let isSpeaking = false;
  for await (const event of turn) {
    if (event.type === 'run_item_stream_event' && event.item.type === 'tool_call_item') {
      const { rawItem } = event.item;
      if (rawItem.type === 'function_call') print('tool call', `${rawItem.name} ${rawItem.arguments}\n`);
    } else if (event.type === 'run_item_stream_event' && event.item.type === 'tool_call_output_item') {
      print('tool says', `${event.item.output}\n`);
    } else if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') {
      if (!isSpeaking) print('assistant', '');
      isSpeaking = true;
      process.stdout.write(event.data.delta);
      onWord();
    }
  }
  await turn.completed;
  if (isSpeaking) process.stdout.write('\n');
  return [{ role: 'user', content: message }, ...turn.output];
}

function print(who: string, what: string): void {
  process.stdout.write(
    `  ${styleText('dim', `process ${process.pid}`)}  ${styleText('cyan', who.padEnd(9))}  ${what}`,
  );
}
