export default {
  testMatch: ['**/test/memory.jest.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': './strip-types.js' },
  testEnvironmentOptions: { customExportConditions: ['@sessions/source', 'node', 'node-addons'] },
  verbose: false,
};
