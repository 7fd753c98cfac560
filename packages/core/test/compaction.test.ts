import { describe, expect, it } from 'vitest';
import { isOpenAIResponsesCompactionAwareSession, type Session } from '../src/index.ts';
import { open } from './support/sessions.ts';

const isAware = (session: unknown) => isOpenAIResponsesCompactionAwareSession(session as Session);

class Wrapper {
  async runCompaction() {
    return null;
  }
}

const throwing = (trap: 'get' | 'has' | 'getPrototypeOf') => {
  return new Proxy(
    {},
    {
      [trap]: () => {
        throw new Error('not to be asked');
      },
    },
  );
};

describe('isOpenAIResponsesCompactionAwareSession', () => {
  it.each([
    ['an object with the method', { runCompaction: async () => null }],
    ['an instance of a class with it', new Wrapper()],
    [
      'a getter that returns it',
      {
        get runCompaction() {
          return () => null;
        },
      },
    ],
    ['a proxy of one', new Proxy(new Wrapper(), {})],
  ])('CMP-1 is true for %s', (_, session) => {
    expect(isAware(session)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['undefined', undefined],
    ['a session of a store', open().session],
    ['an object without it', {}],
    ['an object with undefined', { runCompaction: undefined }],
    ['an object with true', { runCompaction: true }],
    ['an object with an object', { runCompaction: { call: () => null } }],
    [
      'a getter that throws',
      {
        get runCompaction() {
          throw new Error('not to be asked');
        },
      },
    ],
    ['a proxy that throws', throwing('get')],
    ['a string', 'runCompaction'],
    ['a number', 1],
  ])('CMP-1 is false for %s', (_, session) => {
    expect(isAware(session)).toBe(false);
  });
});
