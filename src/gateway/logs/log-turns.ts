/** Logs a line for each turn, with the ids that lead to everything else about it. */
import type { LogIds } from "@pincer/sdk";
import type { TurnWatch } from "../../agent/turns/turn-events.ts";
import type { Clock } from "../../infra/clock.ts";
import type { TurnRecord } from "../../storage/turns/turns.ts";
import type { GatewayLog } from "./gateway-log.ts";

export function logTurns(log: Pick<GatewayLog, "note" | "debug">, clock: Clock): TurnWatch {
  return {
    begun: (turn) => log.debug("a turn has begun", idsOf(turn)),
    ended(turn) {
      const took = turn.startedAt === null ? "" : ` after ${clock.now() - Date.parse(turn.startedAt)} ms`;
      log.note(`a turn has ended${took}`, idsOf(turn));
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
