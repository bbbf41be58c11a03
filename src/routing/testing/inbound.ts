import type { InboundMessage } from "@pincer/sdk";

type Given = Partial<Omit<InboundMessage, "message">> & {
  id?: string;
  text?: string;
  mentioned?: boolean;
  message?: InboundMessage["message"];
};

/** A direct message from Ada (42) on telegram, but for what is given. */
export function inbound({
  id = "m1",
  text = "hello",
  mentioned = true,
  ...given
}: Given = {}): InboundMessage {
  return {
    tenantId: "t_default",
    workspaceId: "w_default",
    channel: "telegram",
    accountId: "default",
    peer: { kind: "user", id: "42" },
    sender: { id: "42", name: "Ada" },
    message: { type: "text", id, text, attachments: [], mentioned },
    timestamp: Date.UTC(2026, 0, 1, 12),
    ...given,
  };
}
