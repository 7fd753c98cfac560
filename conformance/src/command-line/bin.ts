#!/usr/bin/env node
// An older Node.js would stumble over the kit's code with less to say.
if (Number.parseInt(process.versions.node, 10) < 22) {
  console.error(`The kit needs Node.js 22 or later; this is ${process.version}.`);
  process.exit(2);
}
const { runCommandLine } = await import('./cli.ts');
const { endProcess } = await import('./end-process.ts');

endProcess(await runCommandLine(process.argv.slice(2), { command: 'npx sessions-conformance' }));

export {};
