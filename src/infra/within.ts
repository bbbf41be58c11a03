import type { Clock } from "./clock.ts";

/**
 * Settles as `work` does, or after `ms` with what `late` answers or throws; without it, with undefined. Work that takes longer goes on, and
 * nobody hears how it ends.
 */
export function within<Result>(
  clock: Pick<Clock, "after">,
  ms: number,
  work: Promise<Result>,
): Promise<Result | undefined>;
export function within<Result, Late>(
  clock: Pick<Clock, "after">,
  ms: number,
  work: Promise<Result>,
  late: () => Late,
): Promise<Result | Late>;
export async function within(
  clock: Pick<Clock, "after">,
  ms: number,
  work: Promise<unknown>,
  late: () => unknown = () => undefined,
): Promise<unknown> {
  const tooLate = Promise.withResolvers<typeof timeIsUp>();
  const cancel = clock.after(ms, () => tooLate.resolve(timeIsUp));
  try {
    const first = await Promise.race([work, tooLate.promise]);
    return first === timeIsUp ? late() : first;
  } finally {
    cancel();
  }
}

const timeIsUp = Symbol("time is up");
