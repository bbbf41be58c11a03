/** Receives messages: checks and stores them, and only then acknowledges. */
import { PincerError, type ChannelLog, type InboundMessage, type ReceivedMessage } from "@pincer/sdk";
import type { Redactor } from "../infra/redactor.ts";
import { reasonOf } from "./delivery-step.ts";
import type { InboxRow, InboxStore } from "../storage/inbox/inbox.ts";
import { parseMessage } from "./parse-message.ts";

export interface Inbox {
  /**
   * Resolves when the message is on disk; `duplicate` if it already was. Throws `usage/bad-argument` for one that can
   * never be accepted (redelivery does not help) and `storage/…` if it cannot be stored now.
   */
  receive(
    channel: string,
    accountId: string,
    received: ReceivedMessage,
  ): Promise<{ type: "stored" } | { type: "duplicate" }>;
  /** One that waits behind a message that could not be stored: its sender is told as well. Never throws. */
  putOff(channel: string, accountId: string, received: ReceivedMessage, error: unknown): void;
}

export function createInbox({
  inbox,
  tenantId,
  workspaceId,
  log,
  redactor,
  onStored,
  onRefused,
}: {
  inbox: Pick<InboxStore, "accept">;
  tenantId: string;
  workspaceId: string;
  log: ChannelLog;
  /** Removes secrets that people write in a chat before the text is stored. */
  redactor: Pick<Redactor, "text">;
  /** Called once for each new row, once it is on disk. Errors it throws are only logged: the row is safe. */
  onStored(row: InboxRow): void | Promise<void>;
  /** Called for each message that could not be stored, or waits behind one, and will come again if its network keeps it. Must not throw. */
  onRefused?(message: InboundMessage, error: unknown): void;
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
      const { type, row } = await inbox.accept(message).catch((error: unknown) => {
        onRefused?.(message, error);
        throw error;
      });
      if (type === "stored") void passOn(row);
      return { type };
    },
    putOff(channel, accountId, received, error) {
      // What else a connector stumbles over is not about storing.
      if (!(error instanceof PincerError) || error.domain !== "storage") return;
      try {
        const message = { ...received, tenantId, workspaceId, channel, accountId };
        onRefused?.(parseMessage(message, redactor), error);
      } catch {
        // It will be refused when its turn comes.
      }
    },
  };
}
