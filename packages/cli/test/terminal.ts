import { spawnSync } from 'node:child_process';

const SCRIPT = `
import os, pty, sys
size = 'stty rows 24 cols 80; exec "$@"'
sys.exit(os.waitstatus_to_exitcode(pty.spawn(['sh', '-c', size, 'sh', *sys.argv[1:]])))
`;

/** Starts a program on a pseudo terminal, which is what it then has for stdin, stdout and stderr. */
export const TERMINAL = ['python3', '-c', SCRIPT] as const;

/** Why there is no pseudo terminal to be had here. */
export const WITHOUT_TERMINAL =
  spawnSync('python3', ['-c', 'import pty; pty.openpty()']).status === 0
    ? undefined
    : 'python3 with its module pty is needed for a pseudo terminal';
