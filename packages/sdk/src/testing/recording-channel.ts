/**
 * A fake network: it records what people see, delivers what they write, and fails on command in the ways of real
 * networks. It outlives its connections, as a real one does.
 */
import { Type } from "typebox";
import { defineChannel, type Channel, type ChannelHost, type ChannelTraits } from "../channel.ts";
import type { Attachment, ReceivedMessage } from "../inbound-message.ts";
import type { MessageAction, OutboundMessage, Target } from "../outbound-message.ts";
import { SendError } from "../send-error.ts";
import { createFaults, type ChannelFault } from "./recording-channel-faults.ts";

/** One message as people see it. */
export interface LedgerItem {
  accountId: string;
  /** Counted per account, so that two accounts have equal ids. */
  messageId: string;
  target: Target;
  /** As it reads now. */
  text: string;
  attachments: Attachment[];
  /** What can be pressed below it. */
  actions?: MessageAction[];
  replyTo: string | undefined;
  idempotencyKey: string;
  attempt: number;
  /** What it read before each edit. */
  edits: string[];
}

export interface Acknowledgement {
  accountId: string;
  /** `waiting`: delivered with the next connection. `failed`: not accepted, and repeated after a reconnect. */
  type: "stored" | "duplicate" | "failed" | "waiting";
  error?: unknown;
}

export interface RecordingChannel {
  channel: Channel;
  /** What people see, in the order in which it came to be seen. */
  ledger: LedgerItem[];
  /** A person writes, to one account or to all connected ones. Resolves when the acknowledgement is known. */
  say(message: ReceivedMessage, accountId?: string): Promise<Acknowledgement[]>;
  faults: { inject(fault: ChannelFault): void };
  /** The accounts that are connected now. */
  connected(): string[];
}

export function createRecordingChannel({
  id = "recording",
  traits = {},
  abilities = { edit: true, querySent: false },
}: {
  id?: string;
  traits?: Partial<ChannelTraits>;
  abilities?: { edit?: boolean; querySent?: boolean };
} = {}): RecordingChannel {
  const hosts = new Map<string, ChannelHost>();
  const undelivered = new Map<string, ReceivedMessage[]>();
  const faults = createFaults((accountId, reason) => {
    for (const [name, host] of hosts) {
      if (accountId !== undefined && accountId !== name) continue;
      hosts.delete(name);
      host.lost(reason);
    }
  });
  const { ledger, show, find } = createLedger(traits.idempotentSend === true);

  async function deliver(host: ChannelHost, message: ReceivedMessage): Promise<Acknowledgement> {
    const { accountId } = host;
    try {
      const { type } = await host.receive(message);
      if (faults.isDoubling()) await host.receive(message);
      return { accountId, type };
    } catch (error) {
      const waiting = undelivered.get(accountId) ?? [];
      undelivered.set(accountId, [...waiting, message]);
      return { accountId, type: "failed", error };
    }
  }

  const channel = defineChannel({
    id,
    config: Type.Object({ token: Type.Optional(Type.String()) }),
    traits: { textLimit: 4096, idempotentSend: false, ...traits },
    async connect(_config, host) {
      faults.failConnect();
      const { accountId } = host;
      const isConnected = () => hosts.get(accountId) === host;
      hosts.set(accountId, host);
      const leave = () => void (isConnected() && hosts.delete(accountId));
      host.signal.addEventListener("abort", leave, { once: true });
      const missed = undelivered.get(accountId) ?? [];
      undelivered.delete(accountId);
      for (const message of missed) await deliver(host, message);
      return {
        async send(message, { signal, ...attempt }) {
          if (!isConnected()) throw new SendError("unavailable", "not connected");
          signal.throwIfAborted();
          const take = () => show(accountId, message, attempt);
          return { messageId: await faults.pass("send", { accountId, signal, take }) };
        },
        ...(abilities.edit === true && {
          async edit(message, messageId, { signal }) {
            if (!isConnected()) throw new SendError("unavailable", "not connected");
            await faults.pass("edit", {
              accountId,
              signal,
              take() {
                const item = find((each) => each.accountId === accountId && each.messageId === messageId);
                if (!item) throw new SendError("rejected", "there is no such message");
                const { text, actions } = message.response;
                if (actions) item.actions = actions;
                else delete item.actions;
                if (item.text === text) return messageId;
                item.edits.push(item.text);
                item.text = text;
                return messageId;
              },
            });
          },
        }),
        ...(abilities.querySent === true && {
          async querySent(_target, idempotencyKey, signal) {
            let messageId: string | undefined;
            const take = () => {
              messageId = find(
                (each) => each.accountId === accountId && each.idempotencyKey === idempotencyKey,
              )?.messageId;
              return "";
            };
            await faults.pass("query", { accountId, signal, take });
            return messageId === undefined ? { type: "not-sent" } : { type: "sent", messageId };
          },
        }),
        async close() {
          leave();
        },
      };
    },
  });

  return {
    channel,
    ledger,
    faults: { inject: faults.inject },
    connected: () => [...hosts.keys()],
    async say(message, accountId) {
      await faults.swap();
      const names = accountId === undefined ? [...hosts.keys()] : [accountId];
      const answers = names.map((name) => {
        const host = hosts.get(name);
        if (host) return deliver(host, structuredClone(message));
        undelivered.set(name, [...(undelivered.get(name) ?? []), message]);
        return { accountId: name, type: "waiting" as const };
      });
      return Promise.all(answers);
    },
  };
}

function createLedger(isIdempotent: boolean) {
  const ledger: LedgerItem[] = [];
  const counts = new Map<string, number>();
  const find = (isIt: (item: LedgerItem) => boolean) => ledger.find(isIt);
  function show(
    accountId: string,
    { target, response, replyTo }: OutboundMessage,
    attempt: { idempotencyKey: string; attempt: number },
  ): string {
    const before = find(
      (item) => item.accountId === accountId && item.idempotencyKey === attempt.idempotencyKey,
    );
    if (isIdempotent && before) return before.messageId;
    const count = (counts.get(accountId) ?? 0) + 1;
    counts.set(accountId, count);
    const messageId = String(count);
    ledger.push({ accountId, messageId, target, ...response, replyTo, ...attempt, edits: [] });
    return messageId;
  }
  return { ledger, show, find };
}
