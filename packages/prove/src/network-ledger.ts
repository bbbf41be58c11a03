/**
 * What the pretended network knows: what people wrote, what was acknowledged, and what people see. It outlives the child process, so
 * that nothing the product forgets is forgotten here.
 */
import { conversationOf, type Destination, type Peer, type SentQuery, type Target } from "@pincer/sdk";
import type { AccountKind } from "./account-kinds.ts";
import type { EditFrame, SendFrame } from "./network-frames.ts";
import { longParts, readAnswer, type ScriptKind } from "./script.ts";

/** Something that a person wrote. */
export interface PersonMessage {
  /** Unique over everything, and named in its text. */
  id: string;
  kind: ScriptKind;
  account: AccountKind;
  /** The network's id of it: unique within the account only. */
  providerId: string;
  peer: Peer;
  threadId?: string;
  text: string;
}

/** The network's id of who wrote it. */
export const senderOf = ({ peer }: Pick<PersonMessage, "peer">): string =>
  peer.kind === "user" ? peer.id : "somebody";

/** Something that people can see. */
export interface SeenMessage {
  account: AccountKind;
  target: Target;
  /** `conversationOf` where it is. */
  conversation: string;
  messageId: string;
  /** As it stands now. */
  text: string;
  key: string;
  replyTo?: string;
  edits: number;
}

export interface NetworkLedger {
  /** What the product says to people who wait, which answers nothing. */
  waitingLines: readonly string[];
  /** In the order of writing. */
  messages: readonly PersonMessage[];
  /** In the order of appearing. */
  seen: readonly SeenMessage[];
  write(message: PersonMessage): void;
  /** In the order of writing. */
  unacknowledged(account: AccountKind): PersonMessage[];
  isAcknowledged(message: PersonMessage): boolean;
  /** Safe to repeat. Answers with the message, if there is one of that id. */
  acknowledge(account: AccountKind, providerId: string): PersonMessage | undefined;
  /** The network takes it. Keyed: a second one with the same key is the first one. */
  take(
    account: AccountKind,
    frame: Pick<SendFrame, "target" | "text" | "key" | "replyTo">,
  ): { messageId: string };
  /** False when there is no such message. */
  edit(account: AccountKind, frame: Pick<EditFrame, "messageId" | "text">): boolean;
  query(account: AccountKind, key: string): SentQuery;
  /** Whether everything written was acknowledged and answered, or its failure told. */
  isSettled(): boolean;
  /** Nobody waits for an answer to it any more. */
  giveUp(message: PersonMessage): void;
  /** What has no answer yet. */
  waiting(): PersonMessage[];
  waitingCount(): number;
}

export const conversationOfMessage = ({ account, peer, threadId }: PersonMessage): string =>
  conversationOf(
    destinationOf(account, { peerKind: peer.kind, peerId: peer.id, ...(threadId ? { threadId } : {}) }),
  );

/** Without what the product puts before a text that may have been sent before, in whatever language. */
export const withoutMark = (text: string): string => text.replace(/^[(（][^)）]*[)）]\s*/, "");

const destinationOf = (account: AccountKind, target: Destination["target"]): Destination => ({
  channel: account,
  accountId: "default",
  target,
});

export function createNetworkLedger(waitingLines: readonly string[] = []): NetworkLedger {
  const messages: PersonMessage[] = [];
  const seen: SeenMessage[] = [];
  const byProviderId = new Map<string, PersonMessage>();
  const byKey = new Map<string, SeenMessage>();
  const byMessageId = new Map<string, SeenMessage>();
  const waiting = new Map<string, PersonMessage>();
  const acknowledged = new Set<string>();
  const unacknowledged = new Map<AccountKind, Map<string, PersonMessage>>();
  /** What must still become visible for each message, by its id. */
  const missing = new Map<string, Set<string>>();
  const counters = new Map<AccountKind, number>();
  const place = (account: AccountKind, id: string) => `${account} ${id}`;

  function look({ text, account, conversation, replyTo }: SeenMessage): void {
    const answer = readAnswer(withoutMark(text));
    if (answer.type === "answer") {
      for (const id of answer.named) settle(id, "re");
      for (const { id, part } of answer.parts) settle(id, String(part));
    }
    if (answer.type !== "line" || waitingLines.includes(text.trim())) return;
    const named = replyTo === undefined ? undefined : byProviderId.get(place(account, replyTo));
    for (const [id, message] of waiting) {
      if (named ? named.id === id : conversationOfMessage(message) === conversation) return finish(id);
    }
  }

  function settle(id: string, unit: string): void {
    const units = missing.get(id);
    units?.delete(unit);
    if (units?.size === 0) finish(id);
  }

  function finish(id: string): void {
    missing.delete(id);
    waiting.delete(id);
  }

  return {
    waitingLines,
    messages,
    seen,
    write(message) {
      messages.push(message);
      byProviderId.set(place(message.account, message.providerId), message);
      // A stranger is not answered.
      if (message.kind !== "stranger") waiting.set(message.id, message);
      const parts = Array.from({ length: longParts }, (_, index) => String(index + 1));
      missing.set(message.id, new Set(["re", ...(message.kind === "long" ? parts : [])]));
      const ofAccount = unacknowledged.get(message.account) ?? new Map<string, PersonMessage>();
      unacknowledged.set(message.account, ofAccount.set(message.id, message));
    },
    unacknowledged: (account) => [...(unacknowledged.get(account)?.values() ?? [])],
    isAcknowledged: ({ id }) => acknowledged.has(id),
    acknowledge(account, providerId) {
      const message = byProviderId.get(place(account, providerId));
      if (!message) return undefined;
      acknowledged.add(message.id);
      unacknowledged.get(account)?.delete(message.id);
      return message;
    },
    take(account, { target, text, key, replyTo }) {
      const known = byKey.get(place(account, key));
      if (known && account === "keyed") return { messageId: known.messageId };
      const count = (counters.get(account) ?? 0) + 1;
      counters.set(account, count);
      const item: SeenMessage = {
        account,
        target,
        conversation: conversationOf(destinationOf(account, target)),
        messageId: `out-${count}`,
        text,
        key,
        edits: 0,
        ...(replyTo === undefined ? {} : { replyTo }),
      };
      seen.push(item);
      byKey.set(place(account, key), item);
      byMessageId.set(place(account, item.messageId), item);
      look(item);
      return { messageId: item.messageId };
    },
    edit(account, { messageId, text }) {
      const item = byMessageId.get(place(account, messageId));
      if (!item) return false;
      item.text = text;
      item.edits++;
      look(item);
      return true;
    },
    query(account, key) {
      const item = byKey.get(place(account, key));
      return item ? { type: "sent", messageId: item.messageId } : { type: "not-sent" };
    },
    giveUp: ({ id }) => finish(id),
    isSettled: () => waiting.size === 0 && [...unacknowledged.values()].every((each) => each.size === 0),
    waiting: () => [...waiting.values()],
    waitingCount: () => waiting.size,
  };
}

/** One that has seen the same and goes its own way from here. */
export function copyLedger(ledger: NetworkLedger): NetworkLedger {
  const copy = createNetworkLedger(ledger.waitingLines);
  for (const message of ledger.messages) {
    copy.write(message);
    if (ledger.isAcknowledged(message)) copy.acknowledge(message.account, message.providerId);
  }
  for (const item of ledger.seen) copy.take(item.account, item);
  const open = new Set(ledger.waiting().map(({ id }) => id));
  for (const message of copy.waiting()) if (!open.has(message.id)) copy.giveUp(message);
  return copy;
}
