/** Stops the gateway of this process, and makes sure that the process can end whatever comes of it. */

/**
 * Undefined when it has stopped, else why it could not. A part that cannot be closed, because its files were replaced while it ran for example,
 * must not leave a process behind that answers nobody and keeps its place. Never throws.
 */
/** What is stopped, and where a failure is written. */
export interface Serving {
  stop(): Promise<void>;
  log: { error(message: string): void };
}

export async function endServing({ stop, log }: Serving): Promise<string | undefined> {
  try {
    await stop();
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    try {
      log.error(reason);
    } catch {
      // The log is among what was closed already; whoever watches is told all the same.
    }
    return reason;
  }
}
