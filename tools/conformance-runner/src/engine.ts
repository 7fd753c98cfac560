const OPTION = '--engine';

/** What the kit's command line does not know: on which engine of their stores adapters are tried. */
export function withoutEngine(args: readonly string[]): { engine: string | undefined; args: string[] } {
  const at = args.findIndex((argument) => argument === OPTION || argument.startsWith(`${OPTION}=`));
  if (at < 0) return { engine: undefined, args: [...args] };
  const isOne = args[at]!.includes('=');
  const engine = isOne ? args[at]!.slice(OPTION.length + 1) : (args[at + 1] ?? '');
  return { engine, args: args.toSpliced(at, isOne ? 1 : 2) };
}
