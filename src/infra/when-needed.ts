/**
 * Created with the first call, once. If creating it failed (out of descriptors, out of memory), the next call tries
 * again.
 */
export function whenNeeded<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
