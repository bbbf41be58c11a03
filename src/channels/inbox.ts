/** Where messages come in: checked, stored, and only then acknowledged. */
import type { ChannelLog, InboundMessage, ReceivedMessage } from "@pincer/sdk";
import type { Redactor } from "../infra/redactor.ts";
import { reasonOf } from "./delivery-step.ts";
import type { InboxRow, InboxStore } from "../storage/inbox/inbox.ts";
import { parseMessage } from "./parse-message.ts";

export interface Inbox {
  /**
   * Resolves when the message is on the disk; `duplicate` means that it was before. Throws `usage/bad-argument` for one that can never
   * be taken (delivering it again changes nothing) and `storage/…` when it cannot be stored now.
   */
  receive(
    channel: string,
    accountId: string,
    received: ReceivedMessage,
  ): Promise<{ type: "stored" } | { type: "duplicate" }>;
}

export function createInbox({
  inbox,
  tenantId,
  workspaceId,
  log,
  redactor,
  onStored,
}: {
  inbox: Pick<InboxStore, "accept">;
  tenantId: string;
  workspaceId: string;
  log: ChannelLog;
  /** Takes secrets that people write into a chat out of what is stored. */
  redactor: Pick<Redactor, "text">;
  /** Called once for each new row, after it is on the disk. What it throws is logged and goes no further: the row is safe. */
  onStored(row: InboxRow): void | Promise<void>;
}): Inbox {
  const passOn = async (row: InboxRow): Promise<void> => {
    try {
      await onStored(row);
    } catch (error) {
      log.error(`a stored message was not taken up: ${reasonOf(error)}`);
    }
  };
  const read = (value: InboundMessage): InboundMessage => {
    try {
      return parseMessage(value, redactor);
    } catch (error) {
      log.warn(reasonOf(error));
      throw error;
    }
  };
  return {
    async receive(channel, accountId, received) {
      const message = read({ ...received, tenantId, workspaceId, channel, accountId });
      const { type, row } = await inbox.accept(message);
      if (type === "stored") void passOn(row);
      return { type };
    },
  };
}
