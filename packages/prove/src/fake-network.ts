/**
 * The pretended network: a unix socket in the prover's own process. It keeps a message until it is acknowledged and delivers it again
 * after each reconnect, takes what is sent, and misbehaves as told.
 */
import { createServer, type Socket } from "node:net";
import type { SendErrorCode } from "@pincer/sdk";
import type { AccountKind } from "./account-kinds.ts";
import {
  readFrames,
  writeFrame,
  type Delivery,
  type FromChild,
  type FromConnector,
  type ToConnector,
} from "./network-frames.ts";
import {
  conversationOfMessage,
  createNetworkLedger,
  senderOf,
  type NetworkLedger,
  type PersonMessage,
} from "./network-ledger.ts";
import type { Random } from "./random.ts";

/** What happens to the next thing that is sent or edited. */
export type SendFault =
  | { type: "refuse"; code: SendErrorCode; retryAfterMs?: number }
  /** The connection ends without an answer, at once or after hanging; `taken` says whether people see the message all the same. */
  | { type: "cut"; taken: boolean; afterMs: number }
  /** The answer comes late; when it was not taken, it is a refusal. */
  | { type: "late"; taken: boolean; afterMs: number };

export interface DeliveryFaults {
  /** Everything is delivered twice. */
  twice: boolean;
  /** The order between conversations is left to chance; within one it stays. */
  shuffle: Random | undefined;
}

export interface FakeNetwork {
  ledger: NetworkLedger;
  /** People write; the connectors that are there get it at once. */
  write(messages: readonly PersonMessage[], faults?: DeliveryFaults): void;
  /** For the next sends of that account, one each. */
  inject(account: AccountKind, faults: readonly SendFault[]): void;
  /** Forgets the faults that were not used up. */
  behave(): void;
  /** Resolves once everything written so far is acknowledged and answered; never rejects. */
  settled(): Promise<void>;
  /** Called after each acknowledgement and each text that people see. */
  onChange(listener: () => void): void;
  /** Calls back once, after this many more frames. Call the result to cancel. */
  afterEvents(count: number, callback: () => void): () => void;
  /** Ends every connection and the socket. */
  close(): Promise<void>;
}

export interface FakeNetworkParts {
  socketPath: string;
  /** What a network had seen before, to go on with. */
  ledger?: NetworkLedger;
  /** A connection of the child process itself, with what it said first; its further frames go to what this answers. */
  onControl(socket: Socket, hello: Extract<FromChild, { type: "control" }>): (frame: FromChild) => void;
}

/** How long a message that was refused waits before it comes again. */
const againAfterMs = 20;

export async function startFakeNetwork(parts: FakeNetworkParts): Promise<FakeNetwork> {
  const ledger = parts.ledger ?? createNetworkLedger();
  const sockets = new Set<Socket>();
  const connectors = new Map<AccountKind, Socket>();
  const faults = new Map<AccountKind, SendFault[]>();
  const rounds = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  const watches = new Set<{ left: number; callback: () => void }>();
  const changeListeners: Array<() => void> = [];
  let settledWaiters: Array<() => void> = [];
  let deliveryFaults: DeliveryFaults = { twice: false, shuffle: undefined };

  function noteEvent(): void {
    for (const watch of watches) {
      if (--watch.left > 0) continue;
      watches.delete(watch);
      watch.callback();
    }
  }

  function noteChange(): void {
    for (const listener of changeListeners) listener();
    if (settledWaiters.length === 0 || !ledger.isSettled()) return;
    const waiters = settledWaiters;
    settledWaiters = [];
    for (const resolve of waiters) resolve();
  }

  function later(ms: number, work: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      work();
    }, ms);
    timers.add(timer);
  }

  function deliver(messages: readonly PersonMessage[]): void {
    for (const message of inSomeOrder(messages, deliveryFaults.shuffle)) {
      const socket = connectors.get(message.account);
      if (!socket) continue;
      const delivery = deliveryOf(message, rounds.get(conversationOfMessage(message)) ?? 1);
      for (let time = 0; time < (deliveryFaults.twice ? 2 : 1); time++) {
        writeFrame(socket, delivery);
        noteEvent();
      }
    }
  }

  function deliverAgain(account: AccountKind, frame: { id: string; round: number }): void {
    const refused = ledger.messages.find(
      (message) => message.account === account && message.providerId === frame.id,
    );
    if (!refused) return;
    const conversation = conversationOfMessage(refused);
    if ((rounds.get(conversation) ?? 1) !== frame.round) return;
    rounds.set(conversation, frame.round + 1);
    later(againAfterMs, () =>
      deliver(ledger.unacknowledged(account).filter((each) => conversationOfMessage(each) === conversation)),
    );
  }

  function serve(socket: Socket, account: AccountKind, frame: FromConnector): void {
    noteEvent();
    switch (frame.type) {
      case "ack":
        ledger.acknowledge(account, frame.id);
        return noteChange();
      case "nack":
        return deliverAgain(account, frame);
      case "query":
        return writeFrame(socket, {
          type: "found",
          request: frame.request,
          result: ledger.query(account, frame.key),
        });
      case "send":
      case "edit": {
        const fault = faults.get(account)?.shift();
        if (fault?.type === "refuse") {
          const { code, retryAfterMs } = fault;
          const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
          return writeFrame(socket, { type: "refused", request: frame.request, code, ...wait });
        }
        const messageId = fault?.taken === false ? undefined : show(account, frame);
        if (fault?.type === "cut") return later(fault.afterMs, () => socket.destroy());
        const { request } = frame;
        const answer: ToConnector =
          messageId === undefined
            ? { type: "refused", request, code: fault ? "unavailable" : "rejected" }
            : { type: "taken", request, messageId };
        if (fault) return later(fault.afterMs, () => writeFrame(socket, answer));
        return writeFrame(socket, answer);
      }
      default:
    }
  }

  function show(
    account: AccountKind,
    frame: Extract<FromConnector, { type: "send" | "edit" }>,
  ): string | undefined {
    if (frame.type === "send") {
      const { messageId } = ledger.take(account, frame);
      noteChange();
      return messageId;
    }
    const isThere = ledger.edit(account, frame);
    noteChange();
    return isThere ? frame.messageId : undefined;
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    // A killed process ends its connections in its own way; `close` follows in any case.
    socket.on("error", () => {});
    let handle = (first: FromConnector | FromChild): void => {
      if (first.type === "control") {
        const onFrame = parts.onControl(socket, first);
        handle = (frame) => onFrame(frame as FromChild);
      }
      if (first.type !== "hello") return;
      const { account } = first;
      connectors.set(account, socket);
      handle = (frame) => serve(socket, account, frame as FromConnector);
      socket.on("close", () => connectors.get(account) === socket && connectors.delete(account));
      writeFrame(socket, { type: "welcome" });
      deliver(ledger.unacknowledged(account));
    };
    readFrames<FromConnector | FromChild>(socket, (frame) => handle(frame));
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(parts.socketPath, () => resolve());
  });

  return {
    ledger,
    write(messages, faultsOfDelivery = { twice: false, shuffle: undefined }) {
      deliveryFaults = faultsOfDelivery;
      for (const message of messages) ledger.write(message);
      deliver(messages);
    },
    inject: (account, more) => void faults.set(account, [...(faults.get(account) ?? []), ...more]),
    behave: () => faults.clear(),
    settled: () =>
      new Promise((resolve) => {
        if (ledger.isSettled()) resolve();
        else settledWaiters.push(resolve);
      }),
    onChange: (listener) => void changeListeners.push(listener),
    afterEvents(count, callback) {
      const watch = { left: count, callback };
      watches.add(watch);
      return () => void watches.delete(watch);
    },
    async close() {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const deliveryOf = ({ providerId, peer, threadId, text }: PersonMessage, round: number): Delivery => ({
  type: "deliver",
  id: providerId,
  round,
  peer,
  ...(threadId === undefined ? {} : { threadId }),
  sender: senderOf({ peer }),
  text,
  timestamp: Date.now(),
});

/** Conversations in any order, each of them in its own. */
function inSomeOrder(
  messages: readonly PersonMessage[],
  shuffle: Random | undefined,
): readonly PersonMessage[] {
  if (!shuffle) return messages;
  const queues = new Map<string, PersonMessage[]>();
  for (const message of messages) {
    const conversation = conversationOfMessage(message);
    queues.set(conversation, [...(queues.get(conversation) ?? []), message]);
  }
  // Each conversation is drawn as often as it has messages, and hands out its next one.
  const draws = shuffle.shuffle(messages.map(conversationOfMessage));
  return draws.flatMap((conversation) => queues.get(conversation)?.shift() ?? []);
}
