import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkdirFiles } from "./workdir-files.ts";
import { readWorkdirTexts, type WantedTexts } from "./workdir-texts.ts";

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "pincer-texts-"));
  await mkdir(join(base, "work"));
});
afterEach(() => rm(base, { recursive: true }));

const put = (name: string, content: string | Buffer) => writeFile(join(base, "work", name), content);
const read = (names: string[], how: Partial<WantedTexts> = {}) =>
  readWorkdirTexts(createWorkdirFiles({ workdir: join(base, "work"), closed: join(base, "home") }), {
    names,
    maxChars: 10,
    totalMaxChars: 100,
    keep: "beginning",
    ...how,
  });

describe("texts for a prompt", () => {
  it("come trimmed, without what is missing or empty", async () => {
    await put("a", "\n one \n");
    await put("b", " \n");
    expect(await read(["a", "b", "c"])).toEqual({
      texts: [{ name: "a", text: "one", truncated: false }],
      skipped: [],
    });
  });

  it("keep their beginning or their end, and never half a character", async () => {
    await put("a", "一二三四五六七八九👍👍十");
    const [head, tail] = [await read(["a"]), await read(["a"], { keep: "end" })];
    expect(head.texts).toEqual([{ name: "a", text: "一二三四五六七八九", truncated: true }]);
    expect(tail.texts).toEqual([{ name: "a", text: "五六七八九👍👍十".slice(-10), truncated: true }]);
    expect(tail.texts[0]?.text.isWellFormed()).toBe(true);
  });

  it("keep a limit of 10 characters whatever they are made of", async () => {
    for (const character of ["x", "é", "你", "👍"]) {
      await put("a", character.repeat(1000));
      for (const keep of ["beginning", "end"] as const)
        expect((await read(["a"], { keep })).texts[0]).toEqual({
          name: "a",
          text: character.repeat(10 / character.length),
          truncated: true,
        });
    }
  });

  it("share the room in the order they are named, and say whom there was none for", async () => {
    await put("a", "aaaaaaaa");
    await put("b", "bbbbbbbb");
    await put("c", "c");
    expect(await read(["a", "b", "c"], { totalMaxChars: 12 })).toEqual({
      texts: [
        { name: "a", text: "aaaaaaaa", truncated: false },
        { name: "b", text: "bbbb", truncated: true },
      ],
      skipped: [{ name: "c", reason: "there is no room left for it" }],
    });
  });

  it("come once though they have two names", async () => {
    await put("a", "one");
    await symlink("a", join(base, "work", "b"));
    expect((await read(["a", "b"])).texts.map(({ name }) => name)).toEqual(["a"]);
  });

  it("leave out what cannot be used, with the reason", async () => {
    await mkdir(join(base, "work", "directory"));
    await put("binary", Buffer.from([65, 0, 66]));
    await put("gbk", Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7]));
    await writeFile(join(base, "secret"), "secret");
    await symlink(join(base, "secret"), join(base, "work", "out"));
    const { texts, skipped } = await read(["directory", "binary", "gbk", "out"]);
    expect(texts).toEqual([]);
    expect(skipped.map(({ name, reason }) => `${name} ${reason}`)).toEqual([
      "directory is a directory; list it instead",
      "binary is not a text file",
      "gbk is not UTF-8 text; save it as UTF-8",
      "out is outside the workdir",
    ]);
  });
});
