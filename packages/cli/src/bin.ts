#!/usr/bin/env node
// An older Node.js would stumble over the code with less to say.
if (Number.parseInt(process.versions.node, 10) < 22) {
  console.error(`sessions needs Node.js 22 or later; this is ${process.version}.`);
  process.exit(1);
}
const { main } = await import('./main.ts');

// Not exit(): what was written to a pipe may still be on its way.
process.exitCode = await main(process.argv.slice(2));

export {};
