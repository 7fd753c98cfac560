/** A time as people read it. */
export function timeOf(micros: number): string {
  if (micros < 1_000) return `${digits(micros)} µs`;
  return micros < 1_000_000 ? `${digits(micros / 1_000)} ms` : `${digits(micros / 1_000_000)} s`;
}

function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}
