/** Stops the gateway of this process, and makes sure that the process can end whatever comes of it. */
import type { Gateway } from "../gateway/create-gateway.ts";

/**
 * Undefined when it has stopped, else why it could not. A part that cannot be closed, because its files were replaced while it ran for example,
 * must not leave a process behind that answers nobody and keeps its place. Never throws.
 */
export async function endServing({ stop, log }: Pick<Gateway, "stop" | "log">): Promise<string | undefined> {
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
