/** Turns every signal that ends the process into one abort, so that running work can finish first. */
import { systemClock, type Clock } from "../infra/clock.ts";

const reasons = { SIGINT: "interrupted", SIGTERM: "terminated", SIGHUP: "hung up" } as const;
type EndSignal = keyof typeof reasons;

/** Whether the terminal was closed. */
export const isHangUp = (reason: unknown): boolean =>
  reason instanceof Error && reason.message === reasons.SIGHUP;

/** `timeout`, supervisors and terminals tell both the process and its group: the same wish, heard twice. */
const echoMs = 500;

/** A second signal is not delayed: the system ends the process. */
export function catchSignals(
  source: Pick<NodeJS.Process, "on" | "removeListener" | "kill" | "pid">,
  clock: Pick<Clock, "monotonic"> = systemClock,
): AbortSignal {
  const interrupt = new AbortController();
  const names = Object.keys(reasons) as EndSignal[];
  let since: number | undefined;

  function hear(name: NodeJS.Signals): void {
    since ??= clock.monotonic();
    if (!interrupt.signal.aborted) return interrupt.abort(new Error(reasons[name as EndSignal]));
    if (clock.monotonic() - since < echoMs) return;
    for (const each of names) source.removeListener(each, hear);
    source.kill(source.pid, name);
  }
  for (const name of names) source.on(name, hear);
  return interrupt.signal;
}
