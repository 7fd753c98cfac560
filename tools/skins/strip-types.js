import { stripTypeScriptTypes } from 'node:module';

// Jest reads no TypeScript of its own; Node.js does.
export default {
  process: (sourceText) => ({ code: stripTypeScriptTypes(sourceText) }),
};
