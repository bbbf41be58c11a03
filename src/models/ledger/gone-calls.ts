/** Whether a request that is still open can be settled at all. */
import type { Clock } from "../../infra/clock.ts";
import type { ProcessLiveness } from "../../storage/sessions/process-liveness.ts";
import type { OpenCall } from "../../storage/usage/usage.ts";

/** For a process of which it cannot be known whether it lives, as one of another container: no request takes longer. */
const longestMs = 60 * 60_000;

/** `own` is the id of the caller: its open calls are in progress. */
export const goneCalls =
  ({ isAlive }: Pick<ProcessLiveness, "isAlive">, clock: Clock, own?: string) =>
  ({ holder, startedAt }: OpenCall): boolean =>
    holder.id !== own && (clock.now() - Date.parse(startedAt) > longestMs || !isAlive(holder));
