import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createLoopYield } from "../../infra/loop-yield.ts";
import { createIds } from "../../infra/ids.ts";
import { systemDisk } from "./disk.ts";
import { createLineFiles } from "./line-file.ts";

const ids = createIds();

async function stage() {
  const directory = await mkdtemp(join(tmpdir(), "pincer-lines-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return {
    file: join(directory, "deep", "x"),
    lines: createLineFiles({
      disk: systemDisk,
      loopYield: createLoopYield(),
      makeName: () => ids.make("new"),
    }),
  };
}

it("reads what was written, however much and whatever is in it", async () => {
  const { file, lines } = await stage();
  const values = Array.from({ length: 3000 }, (_, index) => [index, "ä\n\u2028".repeat(index % 100), null]);
  await lines.write(file, values);
  expect(await lines.read(file)).toEqual(values);
  await lines.write(file, []);
  expect(await lines.read(file)).toEqual([]);
  expect(await lines.read(`${file}-nowhere`)).toBeUndefined();
});

it("takes a file for missing that was cut anywhere or changed in any byte", async () => {
  const { file, lines } = await stage();
  await lines.write(file, [{ turn: 1 }, ["kept", "a", null]]);
  const whole = await readFile(file);
  for (let at = 0; at < whole.length; at++) {
    await writeFile(file, whole.subarray(0, at));
    expect(await lines.read(file)).toBeUndefined();
    const other = Buffer.from(whole);
    other[at] = (other[at] ?? 0) ^ 1;
    await writeFile(file, other);
    expect(await lines.read(file)).toBeUndefined();
  }
});
