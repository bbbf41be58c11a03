import { textOf, type Message } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pruneResults } from "./prune-results.ts";
import type { PruningSettings } from "./session-view.ts";
import { showEntries } from "./shown-entries.ts";
import { answer, call, entriesOf, result, settings, user } from "./testing/session-said.ts";

const rules: PruningSettings = {
  mode: "cache-ttl",
  ttlMs: 300_000,
  keepLastAssistants: 3,
  isUntrusted: false,
};
const window = 200_000;
const long = "x".repeat(9000);

/** Each turn has four messages, the third of them a result. */
const turns = (count: number, text = long): Message[] =>
  Array.from({ length: count }, (_, turn) => [
    user("q"),
    call(`c${turn}`),
    result(`c${turn}`, text),
    answer("a"),
  ]).flat();

const prune = (
  messages: Message[],
  pauses: Record<number, number>,
  rest: Partial<PruningSettings> = {},
  contextWindow = window,
) => {
  const shown = showEntries(entriesOf(messages, { pauses }), [], settings());
  return pruneResults(shown, { ...rules, ...rest }, contextWindow).map(({ message }) => message);
};
const sizes = (messages: Message[]) =>
  messages.filter(({ role }) => role === "toolResult").map((message) => textOf(message).length);

describe("old tool results", () => {
  it("COMP-18 COMP-19 are trimmed after a pause of more than five minutes, but not those of the last three answers", () => {
    const trimmed = expect.closeTo(3070, -2) as number;
    // Before the pause were the answers 11, 9 and 7.
    expect(sizes(prune(turns(4), { 12: 301 }))).toEqual([trimmed, trimmed, 9000, 9000]);
    expect(sizes(prune(turns(4), { 12: 301 }, { keepLastAssistants: 5 }))).toEqual([
      trimmed,
      9000,
      9000,
      9000,
    ]);
    expect(sizes(prune(turns(4), {}))).toEqual([9000, 9000, 9000, 9000]);
    expect(sizes(prune(turns(4), { 12: 300 }))).toEqual([9000, 9000, 9000, 9000]);
    expect(sizes(prune(turns(4), { 12: 301 }, { mode: "off" }))).toEqual([9000, 9000, 9000, 9000]);
    expect(sizes(prune(turns(4), { 12: 301 }, { keepLastAssistants: 0 }))).toEqual([
      trimmed,
      trimmed,
      trimmed,
      9000,
    ]);
  });

  it("stay while a turn goes on, however long one of its tools takes", () => {
    const steps = Array.from({ length: 6 }, (_, step) => [call(`c${step}`), result(`c${step}`, long)]).flat();
    const messages = [user("go"), ...steps, user("hurry"), answer("a")];
    for (const place of [2, 11, 12, 13])
      expect(sizes(prune(messages, { [place]: 999 }))).toEqual(Array.from({ length: 6 }, () => 9000));
  });

  it("name the handle of the whole", () => {
    expect(textOf(prune(turns(4), { 12: 301 })[2] as Message)).toContain("the whole is r4: result_read");
  });

  it("are removed where trimming them leaves more than half of the window", () => {
    const [first] = sizes(prune(turns(4), { 12: 301 }, {}, 1200));
    expect(first).toBeLessThan(80);
    expect(sizes(prune(turns(4), { 12: 301 }, {}, 4000))[0]).toBeGreaterThan(3000);
  });

  it("COMP-18 stay where they have images", () => {
    const [asked, called, found, said] = turns(1) as [Message, Message, Message, Message];
    const image = { type: "image" as const, media: "m", mimeType: "image/png" };
    const seen = { ...found, content: [...found.content, image] } as Message;
    const messages = [asked, called, seen, said, ...turns(4)];
    for (const contextWindow of [window, 1200])
      expect(prune(messages, { 16: 301 }, {}, contextWindow)[2]).toBe(seen);
  });

  it("COMP-23 go sooner and wholly in a session that strangers write in", () => {
    const removed = expect.stringContaining("removed") as string;
    const pruned = prune(turns(4, "short"), { 12: 301 }, { isUntrusted: true });
    const texts = pruned.filter(({ role }) => role === "toolResult").map(textOf);
    expect(texts).toEqual([removed, removed, removed, "short"]);
    expect(sizes(prune(turns(4, "short"), { 12: 301 }))).toEqual([5, 5, 5, 5]);
  });

  it("COMP-17 are pruned in what is shown only", () => {
    const messages = turns(4);
    const before = structuredClone(messages);
    prune(messages, { 12: 301 });
    expect(messages).toEqual(before);
  });

  it("never change what came before when entries are added without a pause", () => {
    const pause = fc.constantFrom(1, 1, 1, 299, 301, 4000);
    const pauses = fc.array(pause, { minLength: 40, maxLength: 40 });
    const added = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(
        pauses,
        added,
        fc.nat(40),
        fc.nat(40),
        fc.boolean(),
        (given, later, length, more, isUntrusted) => {
          const whole = turns(20);
          const end = length + more;
          const times = Object.fromEntries([...given.slice(0, length), ...later].entries());
          const options = { isUntrusted };
          const short = prune(whole.slice(0, length), times, options, 12_000);
          const longer = prune(whole.slice(0, end), times, options, 12_000);
          // A call at the end has got its result since.
          const settled = short.length > length ? length - 1 : length;
          expect(longer.slice(0, settled)).toEqual(short.slice(0, settled));
        },
      ),
    );
  });
});
