import { wellFormedMessages, type Entry } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { encodeLine } from "./line-codec.ts";
import { readTranscript } from "./read-transcript.ts";
import { createChance, damage } from "./testing/damage.ts";
import { flawsOfReading } from "./testing/flaws-of-reading.ts";
import { sampleEntries } from "./testing/sample-session.ts";

const entries = sampleEntries();
const lines = entries.map(encodeLine);
const fileOf = (lines: string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(""));
const whole = fileOf(lines);
const typesOf = (problems: Array<{ type: string }>) => problems.map((problem) => problem.type);
const event = (seq: number, name: string): Entry => ({
  seq,
  time: "2026-01-01T12:00:00.000Z",
  type: "event",
  name,
  data: {},
});

describe("a whole transcript", () => {
  it("SESS-08 is read as it was written", async () => {
    expect(await readTranscript(whole)).toEqual({
      header: entries[0],
      entries,
      problems: [],
      moreProblems: 0,
    });
  });

  it("SESS-08 reads the same in pieces of any size, bytes or text", async () => {
    for (const size of [1, 7, 100, 4096]) {
      const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
        whole.subarray(index * size, (index + 1) * size),
      );
      expect((await readTranscript(streamOf(pieces))).entries).toEqual(entries);
    }
    expect((await readTranscript(streamOf([whole.toString()]))).entries).toEqual(entries);
  });
});

describe("a damaged transcript", () => {
  it("SESS-15 gives up only the line that a crash cut short", async () => {
    const reading = await readTranscript(whole.subarray(0, whole.length - 10));
    expect(reading.entries).toEqual(entries.slice(0, -1));
    expect(reading.problems).toEqual([{ type: "torn-end", line: lines.length, reason: expect.any(String) }]);
    expect((await readTranscript(whole.subarray(0, -1))).problems).toEqual([]);
  });

  it("SESS-15 names bad lines by their number and reports the gap they leave", async () => {
    const reading = await readTranscript(fileOf(lines.with(2, "rubbish")));
    expect(reading.entries).toEqual(entries.toSpliced(2, 1));
    expect(reading.problems).toEqual([
      { type: "bad-line", line: 3, reason: expect.stringContaining("checksum") },
      { type: "gap", reason: "entry 3 is missing" },
    ]);
  });

  it("SESS-15 restores the order and drops what is there twice", async () => {
    const reading = await readTranscript(fileOf([...lines.toReversed(), lines[1] ?? ""]));
    expect(reading.entries).toEqual(entries);
    expect(new Set(typesOf(reading.problems))).toEqual(new Set(["out-of-order", "duplicate"]));
  });

  it("SESS-15 keeps the first of two different entries with one seq", async () => {
    const reading = await readTranscript(
      fileOf([lines[0] ?? "", encodeLine(event(2, "first")), encodeLine(event(2, "second"))]),
    );
    expect(reading.entries[1]).toEqual(event(2, "first"));
    expect(typesOf(reading.problems)).toEqual(["conflict"]);
  });

  it("SESS-15 reads lines that lost the break between them", async () => {
    for (const joint of ["", "*", "\ufffd"]) {
      const reading = await readTranscript(Buffer.from(`${lines.slice(0, 3).join(joint)}\n`));
      expect(reading.entries).toEqual(entries.slice(0, 3));
      expect(typesOf(reading.problems)).toEqual(["joined-lines"]);
    }
  });

  it("SESS-15 never takes an object inside a damaged entry for an entry", async () => {
    const forged: unknown = JSON.parse(encodeLine(event(3, "forged")));
    const carrier = encodeLine({ ...event(2, "carrier"), data: { list: [forged, forged, forged] } } as Entry);
    for (const broken of [
      carrier.slice(0, -1),
      `x${carrier}`,
      carrier.slice(3),
      carrier.replace("carrier", "Carrier"),
    ]) {
      const reading = await readTranscript(fileOf([lines[0] ?? "", broken]));
      expect(reading.entries).toEqual([entries[0]]);
    }
  });

  it("SESS-13 makes a lost header anew where the place of the file is known", async () => {
    const hints = {
      id: "s_1",
      cwd: "",
      tenantId: "t",
      workspaceId: "w",
      agentId: "main",
      sessionKey: "agent:main:main",
    };
    const reading = await readTranscript(fileOf(lines.slice(1)), { hints });
    expect(reading.header).toEqual({ seq: 1, time: entries[1]?.time, type: "session", version: 1, ...hints });
    expect(reading.entries).toEqual([reading.header, ...entries.slice(1)]);
    expect((await readTranscript(fileOf(lines.slice(1)))).header).toBeUndefined();
  });

  it("SESS-15 passes over a second header", async () => {
    const second = encodeLine({ ...entries[0], seq: 99 } as Entry);
    const reading = await readTranscript(fileOf([...lines, second]));
    expect(reading.entries).toEqual(entries);
    expect(typesOf(reading.problems)).toEqual(["header-misplaced"]);
  });

  it("SESS-15 lists at most a thousand problems and counts the rest", async () => {
    const reading = await readTranscript(Buffer.from("x\n".repeat(5000)));
    expect(reading.problems).toHaveLength(1000);
    expect(reading.moreProblems).toBe(4001);
  });

  it("SESS-15 loses one line at most to any single wrong bit", async () => {
    const file = fileOf(sampleEntries(1).map(encodeLine));
    const total = sampleEntries(1).length;
    const wrong: number[] = [];
    for (let bit = 0; bit < file.length * 8; bit += 7) {
      const flipped = Buffer.from(file);
      const wasBreak = flipped[bit >> 3] === 0x0a;
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const reading = await readTranscript(flipped);
      if (reading.entries.length !== (wasBreak ? total : total - 1)) wrong.push(bit);
    }
    expect(wrong).toEqual([]);
  });

  it("SESS-15 opens after any of 1,000 damages, with sound tool pairs and all undamaged lines", async () => {
    const originals = new Set(lines);
    const seed = Math.floor(Math.random() * 0xffffffff);
    for (let run = 0; run < 1000; run++) {
      const damaged = damage(whole, createChance(seed + run));
      const flaws = flawsOfReading(await readTranscript(damaged), damaged, originals);
      expect(flaws, `seed ${seed + run}`).toEqual([]);
    }
  });
});

it("SESS-08 a reading of a whole transcript has sound tool pairs to begin with", async () => {
  const { entries } = await readTranscript(whole);
  const messages = entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  expect(wellFormedMessages(messages)).toEqual({ messages, repairs: [] });
});

async function* streamOf<Piece>(pieces: Piece[]): AsyncGenerator<Piece> {
  yield* pieces;
}
