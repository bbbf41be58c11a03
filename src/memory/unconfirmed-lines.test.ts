import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createWorkdirFiles } from "../sandbox/workdir-files.ts";
import {
  confirmLine,
  dropLine,
  listUnconfirmed,
  shortRefOf,
  type UnconfirmedFiles,
} from "./unconfirmed-lines.ts";

let workdir: string;
let files: UnconfirmedFiles;
beforeEach(async () => {
  workdir = await mkdtemp(join(tmpdir(), "pincer-unconfirmed-"));
  files = createWorkdirFiles({ workdir, closed: join(workdir, "..", "no-home") });
});
afterEach(() => rm(workdir, { recursive: true }));

async function put(path: string, ...lines: string[]): Promise<void> {
  await mkdir(dirname(join(workdir, path)), { recursive: true });
  await writeFile(join(workdir, path), lines.join("\n"));
}
const contentOf = (path: string) => readFile(join(workdir, path), "utf8");
const theirs = "- [unconfirmed, from web example.org] closes at six";

it("SEC-02 finds what waits in every file of memory, each with a ref, and the same line once", async () => {
  expect(await listUnconfirmed(files)).toEqual([]);
  await put("MEMORY.md", "- mine", theirs, "", theirs, "");
  await put("memory/202611/20261115.md", "said <!-- untrusted: telegram:42 -->");
  await put("other.md", theirs);
  expect(await listUnconfirmed(files)).toEqual([
    {
      ref: shortRefOf("MEMORY.md", theirs),
      path: "MEMORY.md",
      line: 2,
      text: "closes at six",
      label: "unconfirmed, from web example.org",
    },
    expect.objectContaining({ path: "memory/202611/20261115.md", label: "unconfirmed, from telegram:42" }),
  ]);
});

it("SEC-02 confirms a line by taking its label away, and leaves the rest of the file as it is", async () => {
  await put("MEMORY.md", "\uFEFF- mine\r", `${theirs}\r`, "- [unconfirmed] other", "end");
  const ref = shortRefOf("MEMORY.md", theirs);
  expect(await confirmLine(files, ` ${ref.toUpperCase()} `)).toMatchObject({ ref, text: "closes at six" });
  expect(await contentOf("MEMORY.md")).toBe("\uFEFF- mine\r\n- closes at six\r\n- [unconfirmed] other\nend");
  await expect(confirmLine(files, ref)).rejects.toMatchObject({ code: "usage/not-found" });
});

it("SEC-02 confirms words that look like a label as words", async () => {
  await put("MEMORY.md", "- [unconfirmed, from web a.org] \\[unconfirmed] tea");
  const [found] = await listUnconfirmed(files);
  expect((await confirmLine(files, found?.ref ?? "")).text).toBe("[unconfirmed] tea");
  expect(await contentOf("MEMORY.md")).toBe("- \\[unconfirmed] tea");
  expect(await listUnconfirmed(files)).toEqual([]);
});

it("SEC-02 drops a line, wherever it moved to meanwhile", async () => {
  await put("MEMORY.md", theirs, "- mine");
  const [found] = await listUnconfirmed(files);
  await put("MEMORY.md", "- new", "- mine", theirs, "- last");
  expect(await dropLine(files, found?.ref ?? "")).toMatchObject({ ref: found?.ref, line: 3 });
  expect(await contentOf("MEMORY.md")).toBe("- new\n- mine\n- last");
});

it("refuses refs that name nothing, and says what to do", async () => {
  await put("MEMORY.md", theirs);
  const ref = shortRefOf("MEMORY.md", theirs);
  for (const wrong of ["", "0", ref.slice(0, 7), `${ref}0000`, "f".repeat(64), "x".repeat(999)])
    await expect(confirmLine(files, wrong)).rejects.toMatchObject({
      code: "usage/not-found",
      hint: expect.stringContaining("pincer memory unconfirmed") as string,
    });
  expect(await contentOf("MEMORY.md")).toBe(theirs);
});

it("SEC-02 does nothing to two lines whose refs begin alike: one of them may be made so that it does", async () => {
  const [one, other] = collision();
  await put("MEMORY.md", one, other);
  const both = await listUnconfirmed(files);
  expect(both.map(({ ref }) => ref.length > 8)).toEqual([true, true]);
  await expect(confirmLine(files, shortRefOf("MEMORY.md", one))).rejects.toMatchObject({
    code: "usage/not-found",
  });
  await confirmLine(files, both[0]?.ref ?? "");
  expect(await contentOf("MEMORY.md")).toBe(`- ${one.slice(one.indexOf("]") + 2)}\n${other}`);
});

it("SEC-02 does nothing to two such lines in two files", async () => {
  const [one, other] = collision("MEMORY.md", "memory/x.md");
  await put("MEMORY.md", one);
  await put("memory/x.md", other);
  await expect(dropLine(files, shortRefOf("MEMORY.md", one))).rejects.toMatchObject({
    code: "usage/not-found",
  });
  expect([await contentOf("MEMORY.md"), await contentOf("memory/x.md")]).toEqual([one, other]);
});

it("SEC-02 changes nothing where another such line came in while it looked", async () => {
  const [one, other] = collision();
  await put("MEMORY.md", one);
  const late: UnconfirmedFiles = {
    ...files,
    async change(...given) {
      await put("MEMORY.md", one, other);
      return files.change(...given);
    },
  };
  await expect(confirmLine(late, shortRefOf("MEMORY.md", one))).rejects.toMatchObject({
    code: "usage/not-found",
  });
  expect(await contentOf("MEMORY.md")).toBe(`${one}\n${other}`);
});

it("says why a file could not be changed", async () => {
  await put("MEMORY.md", theirs);
  const [found] = await listUnconfirmed(files);
  const stuck = {
    ...files,
    change: createWorkdirFiles({ workdir: join(workdir, "gone"), closed: "/x" }).change,
  };
  await expect(dropLine(stuck, found?.ref ?? "")).rejects.toMatchObject({
    code: "storage/failed",
    message: expect.stringContaining("MEMORY.md could not be changed") as string,
  });
});

/** Two lines whose refs are the same at their usual length, in one file or in two: found in a moment by trying. */
function collision(path = "MEMORY.md", other = path): [string, string] {
  const seen = new Map<string, string>();
  for (let number = 0; ; number += 1) {
    const line = `- [unconfirmed, from web a.org] ${number}`;
    const earlier = seen.get(shortRefOf(other, line));
    if (earlier !== undefined) return [earlier, line];
    seen.set(shortRefOf(path, line), line);
  }
}
