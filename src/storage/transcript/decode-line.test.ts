import { isDeepStrictEqual } from "node:util";
import type { Entry, EntryBody } from "@pincer/sdk";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeLine } from "./decode-line.ts";
import { encodeLine } from "./line-codec.ts";
import { sampleEntries } from "./testing/sample-session.ts";

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom(
      "\u2028",
      "\u2029",
      "\ud800",
      "\udc00",
      "\u0085",
      "\n",
      "\\",
      '"',
      '","sum":"00000000"}',
      "中",
    ),
  }),
);
// No key holds a backslash: having read one, V8's JSON.parse may take a later, escaped key for it (nodejs/node#63785).
const key = text.map((key) => key.replaceAll("\\", "/"));
const stringUnit = fc
  .string({ unit: "binary", minLength: 1, maxLength: 1 })
  .filter((character) => character !== "\\");
const json = fc.jsonValue({ stringUnit });
const record = fc.dictionary(fc.oneof(key, fc.constant("__proto__"), fc.constant("sum")), json);
const textBlock = fc.record({ type: fc.constant("text" as const), text });

const body: fc.Arbitrary<EntryBody> = fc.oneof(
  fc.record({
    type: fc.constant("session" as const),
    id: text,
    cwd: text,
    tenantId: text,
    workspaceId: text,
    agentId: text,
    sessionKey: text,
    version: fc.constant(1 as const),
  }),
  fc.record({
    type: fc.constant("message" as const),
    message: fc.record({ role: fc.constant("user" as const), content: fc.array(textBlock) }),
  }),
  fc.record({
    type: fc.constant("message" as const),
    runId: text,
    message: fc.record({
      role: fc.constant("toolResult" as const),
      toolCallId: text,
      toolName: text,
      content: fc.array(textBlock),
      isError: fc.boolean(),
      details: json,
    }),
  }),
  fc.record({ type: fc.constant("anchor" as const), name: text, state: record }),
  fc.record({ type: fc.constant("event" as const), name: text, data: record }),
  fc.record({ type: fc.constant("compaction" as const), summary: text, keepFrom: fc.nat() }),
);
const entry: fc.Arbitrary<Entry> = fc
  .tuple(
    fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }),
    body,
  )
  .map(([seq, time, body]) => Object.assign({ seq, time: time.toISOString() }, body))
  // Entries are plain JSON: no negative zero, no objects without a prototype.
  .map((entry): Entry => JSON.parse(JSON.stringify(entry)));

describe("a line", () => {
  it("SESS-05 is read back as the entry that was written", () => {
    fc.assert(
      fc.property(entry, (entry) => {
        const line = encodeLine(entry);
        // Unlike toEqual, this also compares a key called __proto__.
        expect(isDeepStrictEqual(decodeLine(line), { ok: true, entry })).toBe(true);
        expect(line).not.toMatch(/[\n\r\u0085\u2028\u2029\p{Cs}]/u);
      }),
      { numRuns: 2000 },
    );
  });

  it("X5 begins with seq, time and type and ends with its sum", () => {
    const line = encodeLine({ name: "x", data: {}, type: "event", time: "2026-01-01T12:00:00.000Z", seq: 7 });
    expect(line).toBe(
      '{"seq":7,"time":"2026-01-01T12:00:00.000Z","type":"event","name":"x","data":{},"sum":"733b3354"}',
    );
  });

  it("SESS-15 is refused when any one bit of it is wrong", () => {
    const accepted: string[] = [];
    for (const entry of sampleEntries(1)) {
      const line = Buffer.from(encodeLine(entry));
      for (let bit = 0; bit < line.length * 8; bit++) {
        const flipped = Buffer.from(line);
        flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        if (decodeLine(flipped.toString("utf8")).ok) accepted.push(`bit ${bit} of ${line.toString()}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["seq", { seq: 0 }, "seq"],
    ["seq", { seq: 1.5 }, "seq"],
    ["time", { time: "yesterday" }, "time"],
    ["time", { time: "2026-13-01T12:00:00.000Z" }, "time"],
    ["type", { type: "unheard-of" }, "unheard-of"],
    ["body", { type: "event", name: 5 }, "event"],
  ])("SESS-05 is refused with a wrong %s, though its sum fits", (_, wrong, reason) => {
    const entry = { seq: 1, time: "2026-01-01T12:00:00.000Z", type: "event", name: "x", data: {}, ...wrong };
    expect(decodeLine(encodeLine(entry as Entry))).toEqual({
      ok: false,
      reason: expect.stringContaining(reason),
    });
  });

  it("SESS-15 is refused without a sum, and whatever else is on it", () => {
    const { ok } = decodeLine(
      '{"seq":1,"time":"2026-01-01T12:00:00.000Z","type":"event","name":"x","data":{}}',
    );
    expect(ok).toBe(false);
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => !decodeLine(text).ok));
  });
});
