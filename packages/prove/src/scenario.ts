/** What people write and how the network misbehaves, all from one seed. */
import type { Peer } from "@pincer/sdk";
import type { DeliveryFaults, SendFault } from "./fake-network.ts";
import { accountKinds, type AccountKind } from "./account-kinds.ts";
import type { PersonMessage } from "./network-ledger.ts";
import { createRandom, type Random } from "./random.ts";
import { scriptText, type ScriptKind } from "./script.ts";

/** The share of a run. */
export interface Act {
  messages: PersonMessage[];
  delivery: DeliveryFaults;
  sendFaults: Array<{ account: AccountKind; faults: SendFault[] }>;
}

/** What holds for a whole series, as keys of the home's config. */
export interface Manner {
  mode: "steer" | "followup" | "collect";
  debounceMs: number;
  streaming: "off" | "edit";
}

export interface Scenario {
  manner: Manner;
  /** The next act; the ids go on from the one before. */
  next(wish?: { kind?: ScriptKind; count?: number; calm?: boolean }): Act;
}

/** Nobody has let this one in; a voice in each act all the same. */
export const strangerId = "666";
/** Who is known: to the config, and to the database, which has let in the other one. */
export const knownByConfig = "7";
export const knownByPairing = "42";
const poisonedId = (number: number) => `poisoned-${number}`;
/** Those whose messages are poison are known too. */
export const poisonedIds: readonly string[] = Array.from({ length: 50 }, (_, index) => poisonedId(index + 1));

/** Direct chats, threads of them, and groups; the same ids on every account. */
const places: ReadonlyArray<{ peer: Peer; threadId?: string }> = [
  { peer: { kind: "user", id: knownByPairing } },
  { peer: { kind: "user", id: knownByConfig } },
  { peer: { kind: "user", id: knownByPairing }, threadId: "7" },
  { peer: { kind: "group", id: "42" } },
  { peer: { kind: "group", id: "42" }, threadId: "7" },
];

export function createScenario(seed: number): Scenario {
  const random = createRandom(seed);
  const counters = new Map<AccountKind, number>();
  let count = 0;
  let poisoned = 0;
  const manner: Manner = {
    mode: random.pick(["steer", "steer", "followup", "collect"]),
    debounceMs: random.pick([0, 5, 20]),
    streaming: random.pick(["edit", "edit", "edit", "edit", "off"]),
  };

  function compose(place: (typeof places)[number], account: AccountKind, kind: ScriptKind): PersonMessage {
    const id = `m${++count}`;
    const number = (counters.get(account) ?? 0) + 1;
    counters.set(account, number);
    return { id, kind, account, providerId: String(number), text: scriptText({ id, kind }), ...place };
  }

  return {
    manner,
    next({ kind, count: wanted, calm = false } = {}) {
      const messages: PersonMessage[] = [];
      const total = wanted ?? random.between(3, 6);
      while (messages.length < total) {
        const account = random.pick(accountKinds);
        // A poisoned message takes others of its conversation along: it has one to itself.
        const place =
          kind === "poison"
            ? { peer: { kind: "user" as const, id: poisonedId(++poisoned) } }
            : random.pick(places);
        const burst = kind === "poison" ? 1 : random.pick([1, 1, 2, 3]);
        for (let said = 0; said < burst && messages.length < total; said++) {
          messages.push(compose(place, account, kind ?? pickKind(random)));
        }
      }
      // Somewhere among the others, from where the seed says.
      if (kind === undefined && random.chance(strangersShare)) {
        const place = { peer: { kind: "user" as const, id: strangerId } };
        const stranger = compose(place, random.pick(accountKinds), "stranger");
        messages.splice(random.below(messages.length + 1), 0, stranger);
      }
      return {
        messages,
        delivery: {
          twice: !calm && random.chance(0.2),
          shuffle: calm ? undefined : createRandom(random.below(2 ** 31)),
        },
        sendFaults: calm || !random.chance(0.15) ? [] : [misbehave(random)],
      };
    },
  };
}

const strangersShare = 0.5;

const pickKind = (random: Random): ScriptKind =>
  random.pick(["say", "say", "say", "tools", "tools", "forbidden", "long", "slow"]);

function misbehave(random: Random): Act["sendFaults"][number] {
  const account = random.pick(accountKinds);
  const faults: SendFault[][] = [
    [{ type: "refuse", code: "unavailable" }],
    [
      { type: "refuse", code: "unavailable" },
      { type: "refuse", code: "unavailable" },
    ],
    [{ type: "refuse", code: "rate-limited", retryAfterMs: 50 }],
    [{ type: "cut", taken: false, afterMs: 0 }],
    [{ type: "cut", taken: true, afterMs: 0 }],
    [{ type: "cut", taken: random.chance(0.5), afterMs: 30 }],
  ];
  return { account, faults: random.pick(faults) };
}

/** A network that fails ten times in a row is waited for for minutes, as its retries are counted. */
export const hostileSpeed = 100;

/** Networks that are tried on their own, without a cut: what each does to the next sends, and how messages come in. */
export const hostileNetworks: Record<string, { faults: SendFault[]; delivery?: "twice" | "reorder" }> = {
  "500": { faults: times(1, { type: "refuse", code: "unavailable" }) },
  "500x10": { faults: times(10, { type: "refuse", code: "unavailable" }) },
  "429x5": { faults: times(5, { type: "refuse", code: "rate-limited", retryAfterMs: 2000 }) },
  hang: { faults: [{ type: "cut", taken: false, afterMs: 500 }] },
  "hang-taken": { faults: [{ type: "cut", taken: true, afterMs: 500 }] },
  "close-before": { faults: [{ type: "cut", taken: false, afterMs: 0 }] },
  "close-after": { faults: [{ type: "cut", taken: true, afterMs: 0 }] },
  // Most of what follows takes longer than anybody waits for an answer. It is the product's time, at the speed of such lives.
  "hang-75s": { faults: [{ type: "cut", taken: false, afterMs: 75_000 / hostileSpeed }] },
  "hang-75s-taken": { faults: [{ type: "cut", taken: true, afterMs: 75_000 / hostileSpeed }] },
  "hang-100s-taken": { faults: [{ type: "cut", taken: true, afterMs: 100_000 / hostileSpeed }] },
  "late-75s": { faults: [{ type: "late", taken: false, afterMs: 75_000 / hostileSpeed }] },
  "late-100s-taken": { faults: [{ type: "late", taken: true, afterMs: 100_000 / hostileSpeed }] },
  twice: { faults: [], delivery: "twice" },
  reorder: { faults: [], delivery: "reorder" },
};

function times(count: number, fault: SendFault): SendFault[] {
  return Array.from({ length: count }, () => fault);
}

/** An act that such a network troubles, on every account alike. */
export function troubled(act: Act, name: string, seed: number): Act {
  const { faults, delivery } = hostileNetworks[name] ?? { faults: [] };
  return {
    messages: act.messages,
    delivery: {
      twice: delivery === "twice",
      shuffle: delivery === "reorder" ? createRandom(seed) : undefined,
    },
    sendFaults: faults.length === 0 ? [] : accountKinds.map((account) => ({ account, faults })),
  };
}
