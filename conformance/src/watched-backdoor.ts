import type { Backdoor } from './adapter.ts';
import { asksAdapter } from './adapter-failure.ts';

/** A backdoor whose failures are told from those of sessions. */
export function watchedBackdoor(backdoor: Backdoor): Required<Backdoor> {
  return {
    plant: (...given) => asksAdapter('backdoor.plant()', async () => backdoor.plant(...given)),
    contents: () => asksAdapter('backdoor.contents()', async () => backdoor.contents()),
    records: (...given) => asksAdapter('backdoor.records()', async () => backdoor.records(...given)),
    lifetimes: (...given) => asksAdapter('backdoor.lifetimes()', async () => backdoor.lifetimes!(...given)),
    throttle: (...given) => asksAdapter('backdoor.throttle()', async () => backdoor.throttle!(...given)),
    restart: () => asksAdapter('backdoor.restart()', async () => backdoor.restart!()),
    removeDue: (ms) => asksAdapter('backdoor.removeDue()', async () => backdoor.removeDue!(ms)),
    forget: () => asksAdapter('backdoor.forget()', async () => backdoor.forget!()),
  };
}
