import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRedactor } from "../../infra/redactor.ts";
import { keepOutput, mostKept, readKeptOutput, type KeptOutput } from "./kept-output.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-output-"));
});
const open: KeptOutput[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((output) => output.written()));
  await rm(directory, { recursive: true, force: true });
});

const redactor = createRedactor();
const clock = createHandClock();
function keepIn(file: string): KeptOutput {
  const output = keepOutput({ file, onFileStart: () => undefined, redactor, clock });
  open.push(output);
  return output;
}
const keep = () => keepIn(join(directory, "output"));

describe("kept output", () => {
  it("tells characters whole, wherever the chunks part them", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "é", "你", "😀", "\u0301", " ") }),
        fc.array(fc.nat(200), { maxLength: 8 }),
        (text, cuts) => {
          const bytes = Buffer.from(text);
          const output = keep();
          const ends = [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
          let from = 0;
          let told = "";
          for (const end of ends) {
            output.add(bytes.subarray(from, end));
            told += output.readNew(false).text;
            from = end;
          }
          expect(told + output.readNew(true).text).toBe(text);
          expect(output.read()).toEqual({ text, dropped: 0 });
        },
      ),
      { numRuns: 50 },
    );
  });

  it("is never cut through a character", () => {
    const output = keep();
    output.add(Buffer.from(`${"é".repeat(150_000)}x`));
    const { text, dropped } = output.read();
    expect(text).toBe(`${"é".repeat((mostKept - 2) / 2)}x`);
    expect(dropped).toBe(300_001 - mostKept);
  });

  it("says how much went by between two looks", async () => {
    const output = keep();
    // A word that may go on would be held back.
    output.add(Buffer.from(`${"a".repeat(99)}\n`));
    output.readNew(false);
    output.add(Buffer.alloc(mostKept + 50, "b"));
    expect(output.readNew(false).dropped).toBe(50);
    expect(output.readNew(false)).toEqual({ text: "", dropped: 0 });
    await output.written();
  });

  it("SHELL-05 is on the disk as it comes, and no more of it than twice what is kept", async () => {
    const output = keep();
    const file = join(directory, "output");
    for (let index = 0; index < 30; index++) {
      output.add(Buffer.alloc(50_000, index % 2 ? "a" : "b"));
      await output.written();
      expect((await stat(file)).size).toBeLessThanOrEqual(2 * mostKept);
    }
    const onDisk = await readKeptOutput(file, output.fileStart(), redactor);
    expect(onDisk).toEqual(output.read());
    expect(onDisk.dropped).toBe(1_500_000 - mostKept);
    expect((await readFile(file)).length).toBeGreaterThanOrEqual(mostKept);
  });

  it("goes on without a disk", async () => {
    const output = keepIn(join(directory, "nowhere", "output"));
    output.add(Buffer.from("said"));
    await output.written();
    expect(output.read().text).toBe("said");
    expect(await readKeptOutput(join(directory, "nowhere", "output"), 0, redactor)).toEqual({
      text: "",
      dropped: 0,
    });
  });
});

describe("kept output of a program that is faster than the disk", () => {
  it("holds no more than what is kept, and says what is gone", async () => {
    const output = keep();
    const file = join(directory, "output");
    output.add(Buffer.from("first"));
    // All at once: the disk is still busy with the first.
    for (let index = 0; index < 3; index++) output.add(Buffer.alloc(100_000, "x"));
    await output.written();
    expect((await stat(file)).size).toBe(mostKept);
    expect(output.fileStart()).toBe(100_005);
    expect(await readKeptOutput(file, output.fileStart(), redactor)).toEqual(output.read());
  });
});

describe("a secret in kept output", () => {
  const secret = "sk-0123456789abcdef";
  const letter = "-----BEGIN-----\nabc def\n-----END-----";
  redactor.add("api", secret);
  redactor.add("letter", letter);

  it("is never on the disk, wherever the chunks part it", async () => {
    const file = join(directory, "output");
    const text = `before ${secret} after\n`;
    for (let cut = 1; cut < text.length; cut++) {
      await rm(file, { force: true });
      const output = keep();
      output.add(Buffer.from(text.slice(0, cut)));
      await output.written();
      output.add(Buffer.from(text.slice(cut)));
      await output.written();
      expect(await readFile(file, "utf8")).toBe("before [secret:api] after\n");
      expect(output.read().text).toBe("before [secret:api] after\n");
    }
  });

  it("of several lines is known as a terminal writes it", async () => {
    const output = keep();
    output.add(Buffer.from(`${letter.replaceAll("\n", "\r\n")}\r\nend\r\n`));
    await output.written();
    expect(await readFile(join(directory, "output"), "utf8")).toBe("[secret:letter]\nend\n");
    expect(output.read().text).toBe("[secret:letter]\nend\n");
  });

  it("is never told in two parts", () => {
    const output = keep();
    output.add(Buffer.from("key: sk-01234"));
    expect(output.readNew(false).text).toBe("key: ");
    output.add(Buffer.from("56789abcdef\n"));
    expect(output.readNew(false).text).toBe("[secret:api]\n");
  });

  it("does not keep a question from being told that waits for its answer", async () => {
    const output = keep();
    output.add(Buffer.from("name?"));
    expect(output.readNew(false).text).toBe("");
    await clock.advance(50);
    expect(output.readNew(false).text).toBe("name?");
    expect(output.readNew(true).text).toBe("");
  });

  it("is not shown in part where the beginning is gone", () => {
    const output = keep();
    output.add(Buffer.from(`${secret} ${"x".repeat(mostKept - 10)}`));
    expect(output.read().text).toBe(` ${"x".repeat(mostKept - 10)}`);
    expect(output.readNew(true).text).toBe(` ${"x".repeat(mostKept - 10)}`);
  });

  it("is taken out of what an earlier process left, too", async () => {
    const file = join(directory, "output");
    await writeFile(file, `left ${secret}\n`);
    expect(await readKeptOutput(file, 0, redactor)).toEqual({ text: "left [secret:api]\n", dropped: 0 });
  });
});
