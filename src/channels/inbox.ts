/** Where messages come in: checked, stored, and only then acknowledged. */
import { InboundMessage, type ChannelLog, type ReceivedMessage } from "@pincer/sdk";
import { failure } from "../infra/failure.ts";
import type { InboxRow, InboxStore } from "../storage/message-stores.ts";

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

export const largestTextBytes = 256 * 1024;

export function createInbox({
  inbox,
  tenantId,
  workspaceId,
  log,
  onStored,
}: {
  inbox: Pick<InboxStore, "accept">;
  tenantId: string;
  workspaceId: string;
  log: ChannelLog;
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
  return {
    async receive(channel, accountId, received) {
      const message = await parse({ ...received, tenantId, workspaceId, channel, accountId }, log);
      const { type, row } = await inbox.accept(message);
      if (type === "stored") void passOn(row);
      return { type };
    },
  };
}

/** A copy with nothing in it but what the shape has, so that no connector can store what nobody reads. */
async function parse(value: unknown, log: ChannelLog): Promise<InboundMessage> {
  const { Check, Clean, Clone, Errors } = await import("typebox/value");
  const message = Clean(InboundMessage, Clone(value));
  const { channel } = value as { channel: string };
  if (!Check(InboundMessage, message)) {
    const [first] = Errors(InboundMessage, message);
    throw refusal(channel, first ? `${first.instancePath || "/"} ${first.message}` : "unknown", log);
  }
  if (message.peer.id === "") throw refusal(channel, "/peer/id is empty", log);
  if (message.message.id === "") throw refusal(channel, "/message/id is empty", log);
  if (!Number.isFinite(message.timestamp)) throw refusal(channel, "/timestamp is no time", log);
  const size = "text" in message.message ? Buffer.byteLength(message.message.text) : 0;
  if (size > largestTextBytes) {
    const facts = { channel, size, limit: largestTextBytes };
    const hint = "channel.message.too-long.hint";
    throw logged(failure("usage/bad-argument", "channel.message.too-long", facts, { hint }), log);
  }
  return message;
}

function refusal(channel: string, reason: string, log: ChannelLog): Error {
  const hint = "channel.message.malformed.hint";
  return logged(
    failure("usage/bad-argument", "channel.message.malformed", { channel, reason }, { hint }),
    log,
  );
}

function logged(error: Error, log: ChannelLog): Error {
  log.warn(error.message);
  return error;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
