import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Store, stores } from '../src/stores.ts';
import { tenant } from '../src/tenant.ts';

/** Names that begin with each other, or would be each other's if something were cut off or added. */
const TENANTS = ['a', 'acme', 'acme-', 'acme-2', 'tenant-acme', 'sessions'].map(tenant);

/** What users may be called who mean to get at somebody else's. */
function hostileIds(): string[] {
  const id = `ada-${crypto.randomUUID()}`;
  return [
    id,
    `${id} `,
    id.toUpperCase(),
    `acme:${id}`,
    `tenant-acme:${id}`,
    `tenant-acme:{${id}}`,
    `{${id}}:items`,
    `${id}}:items`,
    `${id}/e000000000000001`,
    `../sessions-acme/${id}`,
    `${id}%2Fe`,
    `${id}\0`,
    `${id}*`,
    `${id.slice(0, -1)}?`,
    `^${id}`,
    `{"$ne":"${id}"}`,
    `${id}'; DROP TABLE sessions; --`,
  ];
}

describe.each(Object.entries(stores))('in %s', (_, start) => {
  const ids = hostileIds();
  let store: Store;

  beforeAll(async () => {
    store = await start();
  });

  afterAll(() => store.stop());

  test('no session is reached through another tenant, or another id, whatever it is called', async () => {
    const all = TENANTS.flatMap((name) => ids.map((id) => ({ name, id })));
    const label = ({ name, id }: (typeof all)[number]) => JSON.stringify([name, id]);
    await Promise.all(
      all.map((one) => store.open(one.name, one.id).addItems([{ role: 'user', content: label(one) }])),
    );
    await expectHeld(all);

    // Half of them do their worst.
    const [half, rest] = [all.filter((_, at) => at % 2 === 0), all.filter((_, at) => at % 2 === 1)];
    await clear(half);
    for (const { name, id } of half) expect(await store.open(name, id).getItems()).toEqual([]);
    await expectHeld(rest);
    await clear(rest);

    async function clear(sessions: typeof all): Promise<void> {
      await Promise.all(sessions.map(({ name, id }) => store.open(name, id).clearSession()));
    }

    async function expectHeld(sessions: typeof all): Promise<void> {
      const held = await Promise.all(sessions.map(({ name, id }) => store.open(name, id).getItems()));
      expect(held).toEqual(sessions.map((one) => [{ role: 'user', content: label(one) }]));
    }
  });
});

test.each([
  ...['', 'Acme', 'acme:beta', 'acme.beta', 'acme}', '*', 'ac me', '../acme', '$acme', '-acme', 'acme\n'],
  ...['acme\0', 'é', 'x'.repeat(41), undefined, null, { $ne: null }, ['acme']],
])('%j is no name of a tenant', (name) => {
  expect(() => tenant(name)).toThrow(RangeError);
});
