/**
 * Work that is requested more often than it can be done: it never runs twice at a time, and once more if it was
 * requested while it ran. The returned function requests it and returns at once; errors are reported.
 */
export function createRunAgain(
  work: () => Promise<unknown>,
  { signal, onError }: { signal: AbortSignal; onError(error: unknown): void },
): () => void {
  let isRunning = false;
  let isAsked = false;

  async function run(): Promise<void> {
    isRunning = true;
    for (; isAsked && !signal.aborted;) {
      isAsked = false;
      await work().catch((error: unknown) => (signal.aborted ? undefined : onError(error)));
    }
    isRunning = false;
  }

  return () => {
    isAsked = true;
    if (!isRunning) void run();
  };
}
