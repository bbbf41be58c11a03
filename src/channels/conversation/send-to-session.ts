/**
 * Words from one session of an agent to another: a message that the product sends itself, answered there as a turn of its own. They are
 * the words of that session and nobody's orders. Each carries how many sessions it came through, so that two that answer each other end.
 */
import { createHash } from "node:crypto";
import { recipientOf, type Destination } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { systemChannel, systemMessage } from "../../routing/system-message.ts";
import type { InboxRow, InboxStore } from "../../storage/inbox/inbox.ts";
import type { TurnStore } from "../../storage/turns/turns.ts";
import {
  isOwner,
  type Caller,
  type FoundSession,
  type Refused,
  type SessionDoors,
} from "../../tools/conversation/conversation-doors.ts";
import type { KnownPlaces } from "./known-places.ts";
import type { SessionPlaces } from "./session-places.ts";

export interface SendToSessionParts {
  inbox: Pick<InboxStore, "accept">;
  turns: Pick<TurnStore, "inputs">;
  places: Pick<KnownPlaces, "isInUse" | "isLetIn">;
  sessionPlaces: SessionPlaces;
  tenantId: string;
  workspaceId: string;
  clock: Pick<Clock, "now">;
  ids: Ids;
  redactor: Pick<Redactor, "text">;
  /** It is in the inbox; without it the next gateway takes it up. */
  received?: ((row: InboxRow) => void) | undefined;
}

export type SendToSession = Pick<SessionDoors, "find" | "send">;

/** How many sessions words may come through. */
const mostHops = 3;

export function createSendToSession(parts: SendToSessionParts): SendToSession {
  const { inbox, turns, places, sessionPlaces, tenantId, workspaceId, clock, ids, redactor } = parts;

  async function find(session: string, { place, conversation }: Caller): Promise<FoundSession | Refused> {
    if (!place || !isOwner(place)) return { refused: "other sessions cannot be written to from here" };
    const { agentId } = place;
    const found = await sessionPlaces.find(session, agentId);
    if (found?.state !== "active")
      return {
        refused: `there is no session ${JSON.stringify(session)}; sessions_list tells which there are`,
      };
    const { sessionKey } = found;
    if (sessionKey === place.sessionKey) return { refused: "that is this session; answer with your reply" };
    const destination = (await sessionPlaces.destinationOf(sessionKey, agentId)) ?? null;
    if (destination && !isSame(destination, conversation) && !(await mayBeReached(destination, agentId)))
      return { refused: `${sessionKey} may not be written to: its people are not let in (any more)` };
    return { sessionKey, destination };
  }

  const mayBeReached = async (destination: Destination, agentId: string) =>
    places.isInUse(destination) && (await places.isLetIn(destination, agentId));

  /** Of the messages that the turn answers, the one that came furthest. */
  async function hopsOf(turnId: string | undefined): Promise<number> {
    const inputs = turnId === undefined ? [] : await turns.inputs(turnId);
    return Math.max(
      0,
      ...inputs.map(({ message }) => (message.channel === systemChannel ? readHops(message) : 0)),
    );
  }

  return {
    find,
    async send({ session, text }, caller) {
      const found = await find(session, caller);
      if ("refused" in found) return found;
      const hops = (await hopsOf(caller.turnId)) + 1;
      if (hops > mostHops)
        return { refused: `these words came through ${mostHops} sessions already; they go no further` };
      const { sessionKey, destination } = found;
      const words = redactor.text(text);
      const from = caller.place?.sessionKey ?? "";
      const { row, type } = await inbox.accept(
        systemMessage({
          tenantId,
          workspaceId,
          // The same of the same turn is the same message: ids of calls are the model's, and some use one again.
          id: `${hopMark}${hops}:${caller.turnId ?? ids.make("h")}:${digest(sessionKey, words)}`,
          from: `session:${from}`,
          sessionKey,
          destination,
          text: words,
          now: clock.now(),
        }),
      );
      if (type === "stored") parts.received?.(row);
      return { sessionKey, isNew: type === "stored" };
    },
  };
}

const hopMark = "hop:";

function readHops({ message }: InboxRow["message"]): number {
  const [, hops] = /^hop:(\d{1,3}):/.exec(message.id) ?? [];
  return Number(hops ?? 0);
}

const isSame = (one: Destination, other: Destination | undefined): boolean =>
  other !== undefined && recipientOf(one) === recipientOf(other);

const digest = (...parts: string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
