/**
 * Messages that the product sends itself on the channel `system`: a result that returns to the session it was
 * requested in. They need no admission, so only code inside the product may create one; no connector may call itself
 * `system`.
 */
import { Destination, type InboundMessage } from "@pincer/sdk";
import { Check } from "typebox/value";

export const systemChannel = "system";

export interface SystemMessage {
  tenantId: string;
  workspaceId: string;
  /** Equal ids are one message, as on any channel. */
  id: string;
  /** What sends it, such as `subagent:7`. */
  from: string;
  /** The session that is to read it, in its canonical spelling. */
  sessionKey: string;
  /** Where the answer goes; null leaves it in the session. */
  destination: Destination | null;
  text: string;
  /** What came along from outside: a stranger's words, and nobody's orders. */
  outside?: string;
  now: number;
}

/** The session is the peer and the destination the thread, so that what is meant for one place keeps its order. */
export function systemMessage(message: SystemMessage): InboundMessage {
  const { tenantId, workspaceId, id, from, sessionKey, destination, text, outside, now } = message;
  return {
    tenantId,
    workspaceId,
    channel: systemChannel,
    accountId: "default",
    peer: { kind: "room", id: sessionKey },
    ...(destination && { threadId: JSON.stringify(destination) }),
    sender: { id: from },
    message: {
      type: "text",
      id,
      text,
      attachments: [],
      mentioned: true,
      ...(outside && { replyTo: { id, text: outside } }),
    },
    timestamp: now,
  };
}

/** Undefined when it was not made by `systemMessage`. */
export function readSystemMessage({
  channel,
  peer,
  threadId,
}: InboundMessage): Pick<SystemMessage, "sessionKey" | "destination"> | undefined {
  if (channel !== systemChannel) return undefined;
  if (threadId === undefined) return { sessionKey: peer.id, destination: null };
  try {
    const destination: unknown = JSON.parse(threadId);
    return Check(Destination, destination) ? { sessionKey: peer.id, destination } : undefined;
  } catch {
    // Not JSON: nothing that this file wrote.
    return undefined;
  }
}
