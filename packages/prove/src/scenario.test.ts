import { expect, it } from "vitest";
import { conversationOfMessage } from "./network-ledger.ts";
import { createScenario, hostileNetworks, strangerId, troubled } from "./scenario.ts";

const play = (seed: number) => {
  const scenario = createScenario(seed);
  const acts = Array.from({ length: 20 }, () => scenario.next());
  return { manner: scenario.manner, acts };
};
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;

it("the same seed gives the same story, another seed another one", () => {
  expect(plain(play(7))).toEqual(plain(play(7)));
  expect(plain(play(7))).not.toEqual(plain(play(8)));
});

it("names each message once, and its network ids are unique within an account only", () => {
  const messages = play(3).acts.flatMap((act) => act.messages);
  const unique = (of: (message: (typeof messages)[number]) => string) => new Set(messages.map(of)).size;
  expect(unique(({ id }) => id)).toBe(messages.length);
  expect(unique(({ account, providerId }) => `${account} ${providerId}`)).toBe(messages.length);
  expect(unique(({ providerId }) => providerId)).toBeLessThan(messages.length);
});

it("has the same people on every account", () => {
  const messages = play(3).acts.flatMap((act) => act.messages);
  const places = Map.groupBy(messages, ({ peer, threadId }) => `${peer.kind} ${peer.id} ${threadId ?? ""}`);
  const shared = [...places.values()].filter((list) => new Set(list.map(({ account }) => account)).size > 1);
  expect(shared.length).toBeGreaterThan(0);
});

it("gives a poisoned message a conversation of its own", () => {
  const scenario = createScenario(1);
  const before = scenario.next({ count: 40 }).messages.map(conversationOfMessage);
  const [poisoned, again] = [1, 2].map(() => scenario.next({ kind: "poison", count: 1 }).messages[0]);
  if (!poisoned || !again) throw new Error("no message");
  expect(before).not.toContain(conversationOfMessage(poisoned));
  expect(conversationOfMessage(again)).not.toBe(conversationOfMessage(poisoned));
});

it("lets a stranger try in about every second act, and asks for what is forbidden", () => {
  const messages = play(5).acts.flatMap((act) => act.messages);
  const strangers = messages.filter(({ kind }) => kind === "stranger");
  expect(strangers.length).toBeGreaterThan(4);
  expect(new Set(strangers.map(({ peer }) => peer.id))).toEqual(new Set([strangerId]));
  expect(messages.some(({ peer, kind }) => peer.id === strangerId && kind !== "stranger")).toBe(false);
  expect(messages.some(({ kind }) => kind === "forbidden")).toBe(true);
});

it("troubles every account alike", () => {
  const act = createScenario(1).next({ count: 8, calm: true });
  expect(act.sendFaults).toEqual([]);
  expect(troubled(act, "500x10", 1).sendFaults).toHaveLength(4);
  expect(troubled(act, "twice", 1).delivery.twice).toBe(true);
  expect(troubled(act, "reorder", 1).delivery.shuffle).toBeDefined();
  expect(Object.keys(hostileNetworks).length).toBeGreaterThan(5);
});
