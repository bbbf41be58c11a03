/**
 * Sends text from one session of an agent to another, as an internal message that gets a turn there. It is data from
 * that session, not an instruction of the owner. Each message counts the sessions it came through, so that two
 * sessions cannot answer each other for ever.
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
  type SessionAccess,
} from "../../tools/conversation/conversation-access.ts";
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
  /** Called when the message is in the inbox; if left out, the next gateway picks it up. */
  received?: ((row: InboxRow) => void) | undefined;
}

export type SendToSession = Pick<SessionAccess, "find" | "send">;

/** How many sessions a text may pass through. */
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

  /** The highest count among the messages that the turn answers. */
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
          // The same text from the same turn is the same message. Call ids are no use: some models repeat them.
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
