import { wellFormedMessages, type Message } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Mark, SessionView } from "./session-view.ts";
import { answer, call, entriesOf, result, user, viewOf } from "./testing/session-said.ts";
import { messagesToRead, windowOf } from "./view-window.ts";

const talk = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => (index % 2 ? answer(`${index}`) : user(`${index}`)));

/** As the storage reads it: the newest messages only. */
const read = (messages: Message[], maxMessages: number): SessionView => {
  const limit = messagesToRead(maxMessages);
  return viewOf(entriesOf(messages).slice(-limit), { isCut: messages.length > limit });
};
const seqs = (view: SessionView, maxMessages: number) =>
  windowOf(view, { maxMessages }).shown.map(({ seq }) => seq);

describe("the window over what was said", () => {
  it("CTX-06 COMP-24 shows the newest messages up to the limit, the question included", () => {
    const shown = seqs(read(talk(80), 50), 50);
    expect(shown.length).toBeGreaterThanOrEqual(24);
    expect(shown.length).toBeLessThan(50);
    expect(shown.at(-1)).toBe(81);
    expect(seqs(read(talk(80), 1), 1)).toEqual([]);
    const whole = windowOf(read(talk(48), 50), { maxMessages: 50 });
    expect(whole.shown).toHaveLength(48);
    expect(whole.isCut).toBe(false);
  });

  it("COMP-24 begins at the same place for half its length, with the same messages before it", () => {
    const windows = Array.from({ length: 400 }, (_, index) =>
      windowOf(read(talk(index + 1), 50), { maxMessages: 50 }),
    );
    const marks = windows.map(
      ({ shown, before }) => `${shown[0]?.seq}/${before.map(({ seq }) => seq).join()}`,
    );
    const moves = marks.filter((mark, index) => index > 0 && mark !== marks[index - 1]).length;
    expect(moves).toBeLessThanOrEqual(Math.ceil(400 / 24));
    expect(moves).toBeGreaterThan(10);
    expect(windows.every(({ shown, isCut }) => isCut === (shown[0]?.seq ?? 0) > 2)).toBe(true);
    expect(windows.at(-1)?.before).toHaveLength(40);
  });

  it("is the same however much more was read", () => {
    const said = entriesOf(talk(300));
    const shown = (count: number) =>
      windowOf(viewOf(said.slice(-count), { isCut: count < 300 }), { maxMessages: 50 }).shown;
    expect(shown(49)).toEqual(shown(300));
    expect(shown(120)).toEqual(shown(300));
  });

  it("tells no digest of what only happened to be read, since it would change each time", () => {
    const said = entriesOf(talk(300));
    expect(windowOf(viewOf(said.slice(-49), { isCut: true }), { maxMessages: 50 }).before).toEqual([]);
  });

  it("shows at least half a window where entries of other kinds lie between the messages", () => {
    const sparse = entriesOf(talk(300)).map((entry) => ({ ...entry, seq: entry.seq * 3 }));
    const { shown } = windowOf(viewOf(sparse), { maxMessages: 50 });
    expect(shown.length).toBeGreaterThanOrEqual(24);
  });

  it("SESS-15 never begins inside a tool exchange, wherever it cuts", () => {
    const said = Array.from({ length: 6 }, (_, turn) => [
      user("q"),
      call(`${turn}a`, `${turn}b`),
      result(`${turn}a`, "x"),
      result(`${turn}b`, "x"),
      answer("a"),
    ]).flat();
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: said.length }),
        (maxMessages, end) => {
          const { shown } = windowOf(viewOf(entriesOf(said.slice(0, end))), { maxMessages });
          expect(shown[0]?.message.role).not.toBe("toolResult");
          const repairs = wellFormedMessages(shown.map(({ message }) => message)).repairs;
          expect(repairs.filter(({ type }) => type !== "result-missing")).toEqual([]);
        },
      ),
    );
  });

  it("begins with an answer where one turn fills it", () => {
    const steps = Array.from({ length: 60 }, (_, index) => [
      call(`${index}`),
      result(`${index}`, "x"),
    ]).flat();
    const { shown } = windowOf(viewOf(entriesOf([user("go"), ...steps])), { maxMessages: 50 });
    expect(shown[0]?.message.role).toBe("assistant");
    expect(shown.length).toBeGreaterThan(23);
  });

  it("begins behind the mark", () => {
    const said = entriesOf(talk(10));
    const at = { seq: 8, time: "2026-11-15T12:00:00.000Z" };
    const summary: Mark = { ...at, type: "compaction", summary: "s", keepFrom: 6 };
    const anchor: Mark = { ...at, type: "anchor", name: "a" };
    expect(seqs(viewOf(said, { mark: summary }), 50)).toEqual([6, 7, 8, 9, 10, 11]);
    expect(seqs(viewOf(said, { mark: anchor }), 50)).toEqual([9, 10, 11]);
  });
});

describe("a direct chat with a limit", () => {
  it("SESS-17 with a limit of two shows U3 A3 U4 A4", () => {
    const said = entriesOf([
      user("U1"),
      answer("A1"),
      user("U2"),
      call("T2"),
      result("T2", "T2"),
      answer("A2'"),
      user("U3"),
      answer("A3"),
      user("U4"),
      answer("A4"),
    ]);
    const { shown, isCut, before } = windowOf(viewOf(said), { maxMessages: 50, historyTurns: 2 });
    expect(shown).toEqual(said.slice(-4));
    expect(isCut).toBe(true);
    expect(before).toEqual([]);
    expect(windowOf(viewOf(said), { maxMessages: 50, historyTurns: 0 }).shown).toEqual(said);
    expect(windowOf(viewOf(said), { maxMessages: 50, historyTurns: 9 }).shown).toEqual(said);
  });

  it("SESS-17 shows no more turns than that and at least half of them, and begins at the same place for a while", () => {
    for (const { limit, most } of [
      { limit: 20, most: 60 },
      { limit: 6, most: 150 },
      { limit: 1, most: 400 },
    ]) {
      const windows = Array.from({ length: 400 }, (_, turn) =>
        windowOf(read(talk(turn * 2), 100), { maxMessages: 100, historyTurns: limit }),
      );
      for (const [turn, { shown, before, isCut }] of windows.entries()) {
        expect(shown.length / 2).toBeLessThanOrEqual(limit);
        expect(shown.length / 2).toBeGreaterThanOrEqual(turn <= limit ? turn : Math.ceil(limit / 2));
        expect(isCut).toBe(turn > limit);
        expect(before).toEqual([]);
      }
      const starts = windows.map(({ shown }) => shown[0]?.seq);
      const moves = starts.filter((start, index) => start !== starts[index - 1]).length;
      expect(moves).toBeLessThanOrEqual(most);
      expect(starts.every((start, index) => index < 2 || (start ?? 0) >= (starts[index - 1] ?? 0))).toBe(
        true,
      );
    }
  });

  it("tells nothing in other words where the number of messages is what cuts, either", () => {
    const view = read(talk(200), 50);
    expect(windowOf(view, { maxMessages: 50, historyTurns: 99 }).before).toEqual([]);
    expect(windowOf(view, { maxMessages: 50 }).before).toHaveLength(40);
  });
});
