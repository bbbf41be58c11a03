/**
 * Work that is asked for more often than it can be done: it never runs twice at a time, and once more where it was asked for while it
 * ran. The answer asks for it and returns at once; what the work throws is told.
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
