/** Made with the first call, and once. What could not be made (out of descriptors, out of memory) is tried again by the next call. */
export function whenNeeded<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
