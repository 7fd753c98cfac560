import { describe, expect, it } from 'vitest';
import { resolveSessionLimit, type SessionSettings } from '../src/index.ts';
import { thrownBy } from './support/sessions.ts';

describe('resolveSessionLimit', () => {
  it.each<[number | undefined, SessionSettings | undefined, number | undefined]>([
    [undefined, undefined, undefined],
    [undefined, {}, undefined],
    [undefined, { limit: undefined }, undefined],
    [undefined, { limit: 5 }, 5],
    [undefined, { limit: 0 }, 0],
    [undefined, { limit: -1 }, 0],
    [undefined, { limit: Number.POSITIVE_INFINITY }, undefined],
    [3, undefined, 3],
    [3, { limit: 5 }, 3],
    [7, { limit: 5 }, 7],
    [0, { limit: 5 }, 0],
    [-3, { limit: 5 }, 0],
    [Number.POSITIVE_INFINITY, { limit: 5 }, undefined],
  ])('GET-6 resolves %s with %j to %s', (limit, settings, expected) => {
    expect(resolveSessionLimit(limit, settings)).toBe(expected);
  });

  it.each<[number, number | undefined]>([
    [0, 0],
    [-0, 0],
    [-1, 0],
    [-1e300, 0],
    [Number.NEGATIVE_INFINITY, 0],
  ])('GET-4 resolves %s to none', (limit, expected) => {
    // `toBe` tells 0 from -0, and a store must not see the latter.
    expect(resolveSessionLimit(limit)).toBe(expected);
  });

  it.each([1, 20, Number.MAX_SAFE_INTEGER])('GET-3 keeps %s', (limit) => {
    expect(resolveSessionLimit(limit)).toBe(limit);
  });

  it.each([Number.NaN, 0.5, -0.5, 1e-7, 2.000001, '3', '', null, true, {}, [3], 3n, new Date(), Symbol('3')])(
    'GET-5 refuses %s, as a limit and as a setting',
    (limit) => {
      const untyped = limit as number;
      const refusal = { code: 'INVALID_LIMIT', retryable: false };
      expect(thrownBy(() => resolveSessionLimit(untyped))).toMatchObject(refusal);
      expect(thrownBy(() => resolveSessionLimit(untyped, { limit: 5 }))).toMatchObject(refusal);
      expect(thrownBy(() => resolveSessionLimit(undefined, { limit: untyped }))).toMatchObject(refusal);
    },
  );

  it('GET-6 does not look at the setting when there is a limit', () => {
    expect(resolveSessionLimit(2, { limit: Number.NaN })).toBe(2);
  });
});
