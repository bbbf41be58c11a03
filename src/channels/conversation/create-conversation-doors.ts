/** What the tools that act on conversations stand on, put together: the stores, the config as it is now, and the way out. */
import type { AccountSettings } from "../accounts.ts";
import type { Replies } from "../replies.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import type { ApprovalStore } from "../../storage/approvals/approvals.ts";
import type { InboxRow } from "../../storage/inbox/inbox.ts";
import type { OutboxRow } from "../../storage/outbox/outbox.ts";
import type { TenantStores } from "../../storage/storage.ts";
import type { ConversationDoors } from "../../tools/conversation/conversation-doors.ts";
import { createFindRecipient } from "./find-recipient.ts";
import { createKnownPlaces } from "./known-places.ts";
import { createMessageDoors } from "./message-doors.ts";
import { createSendToSession } from "./send-to-session.ts";
import { createSessionDoors } from "./session-doors.ts";
import { createSessionPlaces } from "./session-places.ts";

export interface ConversationDoorsParts {
  config(): Config;
  /** Those that the config names; one is in use when it is enabled and has no problem. */
  accounts(): readonly AccountSettings[];
  stores: Pick<TenantStores, "sessions" | "entries" | "turns" | "inbox" | "outbox" | "pairing"> & {
    approvals?: Pick<ApprovalStore, "list">;
  };
  tenantId: string;
  workspaceId: string;
  clock: Pick<Clock, "now">;
  ids: Ids;
  redactor: Pick<Redactor, "text">;
  say: Say;
  /** How words become rows that a channel can carry. */
  replies: Replies;
  /** There is something to send; left out where nobody delivers before a gateway runs. */
  wake?: ((rows: OutboxRow[]) => void) | undefined;
  /** A message that the product sent itself is in the inbox; left out, the next gateway takes it up. */
  received?: ((row: InboxRow) => void) | undefined;
}

/** Quick: nothing is read before somebody asks. */
export function createConversationDoors(parts: ConversationDoorsParts): ConversationDoors {
  const { stores } = parts;
  const places = createKnownPlaces({ ...parts, ...stores });
  const sessionPlaces = createSessionPlaces({ ...parts, ...stores });
  const find = createFindRecipient({ ...parts, places, destinationOf: sessionPlaces.destinationOf });
  const sendToSession = createSendToSession({ ...parts, ...stores, places, sessionPlaces });
  return {
    sessions: createSessionDoors({ ...parts, ...stores, sessionPlaces, sendToSession }),
    messages: createMessageDoors({ ...parts, ...stores, find }),
  };
}
