/** Builds the access to conversations for the tools: from the stores, the live config and the outbox. */
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
import type { ConversationAccess } from "../../tools/conversation/conversation-access.ts";
import { createFindRecipient } from "./find-recipient.ts";
import { createKnownPlaces } from "./known-places.ts";
import { createMessageAccess } from "./message-access.ts";
import { createSendToSession } from "./send-to-session.ts";
import { createSessionAccess } from "./session-access.ts";
import { createSessionPlaces } from "./session-places.ts";

export interface ConversationAccessParts {
  config(): Config;
  /** The accounts of the config; one is in use if it is enabled and has no problem. */
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
  /** Turns text into outbox rows that a channel can carry. */
  replies: Replies;
  /** Called when there is something to send; left out if nothing delivers before a gateway runs. */
  wake?: ((rows: OutboxRow[]) => void) | undefined;
  /** Called when an internal message is in the inbox; if left out, the next gateway picks it up. */
  received?: ((row: InboxRow) => void) | undefined;
}

/** Cheap: reads nothing until it is used. */
export function createConversationAccess(parts: ConversationAccessParts): ConversationAccess {
  const { stores } = parts;
  const places = createKnownPlaces({ ...parts, ...stores });
  const sessionPlaces = createSessionPlaces({ ...parts, ...stores });
  const find = createFindRecipient({ ...parts, places, destinationOf: sessionPlaces.destinationOf });
  const sendToSession = createSendToSession({ ...parts, ...stores, places, sessionPlaces });
  return {
    sessions: createSessionAccess({ ...parts, ...stores, sessionPlaces, sendToSession }),
    messages: createMessageAccess({ ...parts, ...stores, find }),
  };
}
