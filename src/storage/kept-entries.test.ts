import { describe, expect, it } from "vitest";
import type { EntryRow } from "./entry-row.ts";
import { toMessageEntry } from "./entry-row.ts";
import { createKeptEntries } from "./kept-entries.ts";

const row = (seq: number, text: string, time = "2026-01-01T00:00:00.000Z"): EntryRow => ({
  seq,
  time,
  body_json: JSON.stringify({
    type: "message",
    message: { role: "user", content: [{ type: "text", text, origin: "owner" }] },
  }),
});

describe("messages that are kept", () => {
  it("are the same as those that are read anew, and the very ones of the time before", () => {
    const kept = createKeptEntries();
    const rows = [row(1, "one"), row(2, "two")];
    const first = kept.read("s", rows);
    expect(first).toEqual(rows.map(toMessageEntry));
    const [one, two, three] = kept.read("s", [...rows.map((each) => ({ ...each })), row(3, "three")]);
    expect([one === first[0], two === first[1]]).toEqual([true, true]);
    expect(three).toEqual(toMessageEntry(row(3, "three")));
  });

  it("are read anew where the row says something else, or is another session's", () => {
    const kept = createKeptEntries();
    kept.read("s", [row(1, "one")]);
    expect(kept.read("s", [row(1, "other")])).toEqual([toMessageEntry(row(1, "other"))]);
    const later = row(1, "other", "2026-01-02T00:00:00.000Z");
    expect(kept.read("s", [later])).toEqual([toMessageEntry(later)]);
    expect(kept.read("t", [row(1, "one")])).toEqual([toMessageEntry(row(1, "one"))]);
  });

  it("cannot be changed by whoever reads them", () => {
    const [entry] = createKeptEntries().read("s", [row(1, "one")]);
    const content = entry?.message.content as unknown as Array<{ text: string }>;
    expect(() => content.push({ text: "more" })).toThrow("not extensible");
    expect(() => Object.assign(content[0] ?? {}, { text: "other" })).toThrow("read only");
  });

  it("are few: long ones are not kept, and sessions that were silent longest go first", () => {
    const kept = createKeptEntries();
    const [long] = kept.read("long", [row(1, "x".repeat(5000))]);
    expect(kept.read("long", [row(1, "x".repeat(5000))])[0]).not.toBe(long);
    const rows = Array.from({ length: 900 }, (_, index) => row(index + 1, "words"));
    const [ofA] = kept.read("a", rows);
    const [ofB] = kept.read("b", rows);
    kept.read("a", rows);
    kept.read("c", rows);
    expect(kept.read("a", rows)[0]).toBe(ofA);
    expect(kept.read("b", rows)[0]).not.toBe(ofB);
  });
});
