import { describe, expect, it } from 'vitest';
import { resolveStoreOptions, type StoreOptions } from '../src/store.ts';
import { thrownBy } from './support/sessions.ts';

describe('resolveStoreOptions', () => {
  it('FLT-2 has a time limit by default, TTL-1 and no expiry', () => {
    expect(resolveStoreOptions({})).toEqual({
      sessionSettings: undefined,
      ttlMs: undefined,
      refreshTtlOnRead: false,
      timeoutMs: 10_000,
    });
  });

  it('GET-6 copies the settings, so that the caller keeps his own', () => {
    const settings = { limit: 5 };
    const resolved = resolveStoreOptions({ sessionSettings: settings });
    settings.limit = 6;
    expect(resolved.sessionSettings).toEqual({ limit: 5 });
  });

  it.each([
    [1, 1_000],
    [60, 60_000],
    [0.5, 500],
    [0.0015, 2],
    [0.001, 1],
  ])('TTL-1 takes %s seconds as %s milliseconds', (ttlSeconds, ttlMs) => {
    expect(resolveStoreOptions({ ttlSeconds, refreshTtlOnRead: true })).toMatchObject({
      ttlMs,
      refreshTtlOnRead: true,
    });
  });

  it.each<[string, unknown, RegExp]>([
    ['timeoutMs', 0, /`timeoutMs`/],
    ['timeoutMs', -1, /`timeoutMs`/],
    ['timeoutMs', Number.NaN, /`timeoutMs`/],
    // Node's timers would fire at once.
    ['timeoutMs', Number.POSITIVE_INFINITY, /`timeoutMs`/],
    ['timeoutMs', 2 ** 31, /`timeoutMs`/],
    ['timeoutMs', '100', /`timeoutMs`/],
    ['timeoutMs', null, /`timeoutMs`/],
    ['ttlSeconds', 0, /`ttlSeconds`/],
    ['ttlSeconds', -5, /`ttlSeconds`/],
    ['ttlSeconds', 0.0001, /`ttlSeconds`/],
    ['ttlSeconds', Number.NaN, /`ttlSeconds`/],
    ['ttlSeconds', Number.POSITIVE_INFINITY, /`ttlSeconds`.*leave it out/],
    ['ttlSeconds', 1e300, /`ttlSeconds`/],
    ['ttlSeconds', '60', /`ttlSeconds`/],
    ['ttlSeconds', null, /`ttlSeconds`/],
    ['ttlSeconds', 60n, /`ttlSeconds`/],
  ])('FLT-2 TTL-1 refuses %s: %s, by its name', (name, value, message) => {
    const error = thrownBy(() => resolveStoreOptions({ [name]: value } as StoreOptions));
    expect(error).toMatchObject({ code: 'INVALID_ARGUMENT', retryable: false });
    expect((error as Error).message).toMatch(message);
  });

  it.each([Number.NaN, 1.5, '5', null])('GET-5 refuses a default limit of %s', (limit) => {
    const options = { sessionSettings: { limit } } as StoreOptions;
    expect(thrownBy(() => resolveStoreOptions(options))).toMatchObject({ code: 'INVALID_LIMIT' });
  });

  it('FLT-2 takes the shortest and the longest time that timers can wait', () => {
    expect(resolveStoreOptions({ timeoutMs: 1 }).timeoutMs).toBe(1);
    expect(resolveStoreOptions({ timeoutMs: 2 ** 31 - 1 }).timeoutMs).toBe(2 ** 31 - 1);
  });
});
