/** Runs the work for each item with limited concurrency. After the first failure it waits for the running ones. */
export async function eachOf<Thing>(
  things: readonly Thing[],
  width: number,
  work: (thing: Thing) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed: { error: unknown } | undefined;
  const lane = async () => {
    while (next < things.length) {
      if (failed) return;
      const thing = things[next++] as Thing;
      await work(thing).catch((error: unknown) => {
        failed ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, things.length) }, lane));
  if (failed) throw failed.error;
}
