import type { Session } from '@openai/agents';

type SessionClass = new (options: unknown) => Session & AsyncDisposable;

/** The session that another process was told to build: the class by the arguments, its options by SESSION_OPTIONS. */
export async function sessionElsewhere(): Promise<Session & AsyncDisposable> {
  const [module, name] = process.argv.slice(2) as [string, string];
  const classes = (await import(module)) as Record<string, SessionClass>;
  return new classes[name]!(JSON.parse(process.env.SESSION_OPTIONS!));
}
