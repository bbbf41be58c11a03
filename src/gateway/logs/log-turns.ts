/** A line in the log for each turn, with the ids by which everything else about it is found. */
import type { LogIds } from "@pincer/sdk";
import type { TurnWatch } from "../../agent/turn-runner.ts";
import type { Clock } from "../../infra/clock.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import type { GatewayLog } from "./gateway-log.ts";

/** The same watch, and its lines besides. */
export function loggingTurns(
  watch: TurnWatch,
  log: Pick<GatewayLog, "note" | "debug">,
  clock: Clock,
): TurnWatch {
  return {
    ...watch,
    begun(turn, session) {
      log.debug("a turn has begun", idsOf(turn));
      watch.begun?.(turn, session);
    },
    ended(turn, outbox) {
      const took = turn.startedAt === null ? "" : ` after ${clock.now() - Date.parse(turn.startedAt)} ms`;
      log.note(`a turn has ended${took}`, idsOf(turn));
      watch.ended?.(turn, outbox);
    },
  };
}

function idsOf({ turnId, sessionKey, destination, origin, person }: TurnRecord): LogIds {
  return {
    runId: turnId,
    sessionKey,
    channel: destination?.channel ?? origin.channel,
    ...(destination ? { accountId: destination.accountId } : {}),
    caller: `${person.role}:${person.id}`,
  };
}
