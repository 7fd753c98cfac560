import type { AdapterSource, CaseSelection } from '@sessions/conformance';
import { ADAPTERS } from './adapters.ts';

/** How the test that starts a runner says what is to be tried. */
export interface Wanted {
  readonly adapter: keyof typeof ADAPTERS;
  readonly selection: CaseSelection;
}

const wanted = JSON.parse(process.env.WANTED!) as Wanted;

export const source: AdapterSource = ADAPTERS[wanted.adapter];
export const selection: CaseSelection = wanted.selection;
