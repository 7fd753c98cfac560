import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AgentInputItem, run, setTracingDisabled } from '@openai/agents';
import { MemorySession } from '@sessions/memory';
import { startOpenAI, startRedis } from '@sessions/servers';
import { OpenAI } from 'openai';
import { expect, test } from 'vitest';
import { travelAgent } from '../src/agent.ts';
import { CompactingSession } from '../src/compacting-session.ts';
import { guide } from '../src/connect.ts';

setTracingDisabled(true);

async function converse(redisUrl: string, sessionId: string) {
  const script = join(import.meta.dirname, '../src/long-conversation.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@sessions/source', script, sessionId],
    { env: { ...process.env, OPENAI_API_KEY: '', OPENAI_MODEL: '', REDIS_URL: redisUrl } },
  );
  const turns = [...stdout.matchAll(/^(\w+): sunny, 24 °C\. \((\d+) items, (\d+) requests\)$/gm)];
  return {
    stdout,
    cities: turns.map(([, city]) => city),
    lengths: turns.map(([, , items]) => Number(items)),
    compactions: turns.filter(([, , , requests]) => Number(requests) === 3).length,
  };
}

test('a conversation stays short, and goes on in another process', async () => {
  const server = await startRedis();
  try {
    const id = `long-${crypto.randomUUID()}`;
    const first = await converse(server.url, id);
    expect(first.cities).toHaveLength(10);
    expect(first.compactions).toBeGreaterThan(1);
    expect(Math.max(...first.lengths)).toBeLessThan(20);

    const second = await converse(server.url, id);
    expect(second.stdout).toContain(`Session: ${id}, ${first.lengths.at(-1)} items`);
    expect(second.cities).toEqual(first.cities);
    expect(Math.max(...second.lengths)).toBeLessThan(20);
  } finally {
    await server.stop();
  }
});

test('a compaction that fails costs no answer, and is done after the next run', async () => {
  const api = await startOpenAI();
  try {
    api.script(guide);
    const client = new OpenAI({ baseURL: api.baseURL, apiKey: api.apiKey, maxRetries: 0 });
    const failures: unknown[] = [];
    const session = new CompactingSession(
      {
        underlyingSession: new MemorySession<AgentInputItem>(),
        client,
        shouldTriggerCompaction: () => true,
      },
      (error) => failures.push(error),
    );
    const agent = travelAgent(client, 'gpt-5.5');
    api.faults.order('responses.compact', { kind: 'fail' });
    expect((await run(agent, 'How is Lisbon?', { session })).finalOutput).toBe('Lisbon: sunny, 24 °C.');
    expect(failures).toEqual([expect.objectContaining({ status: 500 })]);
    const before = await session.getItems();
    expect((await run(agent, 'How is Porto?', { session })).finalOutput).toBe('Porto: sunny, 24 °C.');
    expect(failures).toHaveLength(1);
    expect((await session.getItems()).length).toBeLessThan(before.length);
  } finally {
    await api.stop();
  }
});
