/** Tells somebody whom the owner has let in, and takes up what they wrote before. */
import { conversationOf, type Destination } from "@pincer/sdk";
import type { Clock } from "../../infra/clock.ts";
import type { Say } from "../../infra/texts.ts";
import type { PairingRequest } from "../../storage/access/people.ts";
import type { InboxRow, InboxStore } from "../../storage/inbox/inbox.ts";
import type { OutboxRow, OutboxStore } from "../../storage/outbox/outbox.ts";

/** Somebody who wrote on and on while waiting gets an answer to the newest. */
const mostMessages = 10;
const worthSendingMs = 24 * 60 * 60_000;

/** Throws what the storage does. */
export async function welcomePerson(
  parts: {
    inbox: Pick<InboxStore, "reviveRefused">;
    outbox: Pick<OutboxStore, "enqueue">;
    clock: Clock;
    say: Say;
    onChange: { outbox(rows: OutboxRow[]): void; inbox(row: InboxRow): void };
  },
  { channel, accountId, senderId }: Pick<PairingRequest, "channel" | "accountId" | "senderId">,
): Promise<void> {
  const destination: Destination = { channel, accountId, target: { peerKind: "user", peerId: senderId } };
  const line = {
    destination,
    kind: "pairing" as const,
    turnId: null,
    text: parts.say("pairing.welcome"),
    attachments: [],
    replyTo: null,
    notAfter: new Date(parts.clock.now() + worthSendingMs).toISOString(),
    dedupeKey: null,
  };
  parts.onChange.outbox(await parts.outbox.enqueue([line], { onDisk: true }));
  const waiting = await parts.inbox.reviveRefused(conversationOf(destination), mostMessages);
  for (const row of waiting) parts.onChange.inbox(row);
}
