import { expect, it } from "vitest";
import { encodeLine } from "./line-codec.ts";
import { readTranscript } from "./read-transcript.ts";
import { createChance, damage } from "./testing/damage.ts";
import { flawsOfReading } from "./testing/flaws-of-reading.ts";
import { sampleEntries } from "./testing/sample-session.ts";

it("SESS-15 opens after any of 100,000 damages, with sound tool pairs and all undamaged lines", async () => {
  const seed = Number(process.env["PINCER_SEED"] ?? Math.floor(Math.random() * 0xffffffff));
  const files = [1, 3, 6].map((turns) => sampleEntries(turns).map(encodeLine));
  for (let run = 0; run < 100_000; run++) {
    const lines = files[run % files.length] ?? [];
    const damaged = damage(Buffer.from(lines.map((line) => `${line}\n`).join("")), createChance(seed + run));
    const flaws = flawsOfReading(await readTranscript(damaged), damaged, new Set(lines));
    expect(flaws, `run ${run} of seed ${seed}`).toEqual([]);
  }
});

it("SESS-15 finds every single wrong bit of a transcript", async () => {
  const entries = sampleEntries(1);
  const file = Buffer.from(entries.map((entry) => `${encodeLine(entry)}\n`).join(""));
  const wrong: number[] = [];
  for (let bit = 0; bit < file.length * 8; bit++) {
    const flipped = Buffer.from(file);
    const wasBreak = flipped[bit >> 3] === 0x0a;
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const reading = await readTranscript(flipped);
    if (reading.entries.length !== entries.length - (wasBreak ? 0 : 1)) wrong.push(bit);
  }
  expect(wrong).toEqual([]);
});
