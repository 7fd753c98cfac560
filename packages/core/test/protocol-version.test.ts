import { expect, it } from 'vitest';
import { PROTOCOL_VERSION, type ProtocolVersion } from '../src/index.ts';
import { StoredSession } from '../src/store.ts';
import { ScriptedStore } from './support/scripted-store.ts';
import { thrownBy } from './support/sessions.ts';

function builtFor(protocolVersion: unknown) {
  const version = protocolVersion as ProtocolVersion;
  const open = () => new ScriptedStore();
  return new StoredSession({ adapter: 'mine', protocolVersion: version, sessionId: 'a', open });
}

const [major, minor] = PROTOCOL_VERSION.split('.').map(Number) as [number, number];

const kept = Array.from({ length: minor + 1 }, (_, each) => `${major}.${each}`);

it.each([undefined, ...kept])('takes an adapter that was built for %s', (version) => {
  expect(builtFor(version).sessionId).toBe('a');
});

it.each([
  ['a higher minor', `${major}.${minor + 1}`],
  ['a higher major', `${major + 1}.0`],
  ['a lower major', `${major - 1}.9`],
])('refuses an adapter of %s, and says what to update', (_, version) => {
  const error = thrownBy(() => builtFor(version));
  expect(error).toMatchObject({ code: 'INCOMPATIBLE_STORE', retryable: false, adapter: 'mine' });
  expect((error as Error).message).toBe(
    `The adapter was built for session protocol ${version}, and @sessions/core has ${PROTOCOL_VERSION}. ` +
      'Update the older of the two.',
  );
});

it.each(['', '1', '1.x', 'latest', 1.0, null])('refuses %j, which is no version', (version) => {
  expect(thrownBy(() => builtFor(version))).toMatchObject({ code: 'INCOMPATIBLE_STORE' });
});
