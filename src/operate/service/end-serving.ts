/** Stops the gateway of this process, and makes sure that the process can end in any case. */

/**
 * Undefined when it has stopped, else the reason. A part that cannot be closed, for example because its files were
 * replaced, must not leave a process that serves nobody and keeps its place. Never throws.
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
      // The log is closed already; the terminal still gets the message.
    }
    return reason;
  }
}
