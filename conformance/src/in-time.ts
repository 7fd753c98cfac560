/**
 * What work comes to, if it does so in time.
 *
 * @param ms - how long to wait
 * @throws what `late` makes once the time is up; the work goes on
 */
export async function inTime<T>(work: Promise<T>, ms: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  return Promise.race([work, end]).finally(() => clearTimeout(timer));
}
