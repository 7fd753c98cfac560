// Removes what an earlier build left in the package it is run in: files whose sources are gone would be published too.
import { rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
