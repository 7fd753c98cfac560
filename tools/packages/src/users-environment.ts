import { delimiter, dirname } from 'node:path';
import { ROOT } from './workspace.ts';

/** Of npm's settings those that say how the registry is reached; pnpm leaves others, which npm does not know. */
const REACHING_THE_REGISTRY =
  /^npm_config_(registry|cache|cafile|ca|(https?_|no)?proxy|noproxy|userconfig|globalconfig)$/i;

/** What the runner of tests, pnpm and turbo leave to those whom they start. */
const NOT_THE_USERS =
  /^(npm_|pnpm_|turbo_|vitest|test$|node_env$|node_options$|node_path$|init_cwd$|force_color$)/i;

/** As in a terminal of the user's own: of this repository nothing is left but its Node.js. */
export function usersEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => REACHING_THE_REGISTRY.test(name) || !NOT_THE_USERS.test(name),
  );
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
  return {
    ...Object.fromEntries(kept),
    PATH: [dirname(process.execPath), ...folders].join(delimiter),
    NO_COLOR: '1',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
  };
}
