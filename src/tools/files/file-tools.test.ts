import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { MediaStore, Tool } from "@pincer/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { createWorkdirFiles, type WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { createToolExecutor } from "../tool-executor.ts";
import { createToolSet } from "../tool-set.ts";
import { createApplyPatchTool } from "./apply-patch.ts";
import { createEditFileTool } from "./edit-file.ts";
import { createListFilesTool } from "./list-files.ts";
import { createReadFileTool } from "./read-file.ts";
import { createSearchFilesTool } from "./search-files.ts";
import { createWriteFileTool } from "./write-file.ts";

let base: string;
let files: WorkdirFiles;
const inside = (path: string) => join(base, "work", path);
const textAt = (path: string) => readFile(inside(path), "utf8");

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "pincer-tools-"));
  await mkdir(inside("sub"), { recursive: true });
  await writeFile(inside("a.txt"), "one\ntwo\nthree\n");
  files = createWorkdirFiles({ workdir: inside(""), closed: join(base, "home") });
});
afterEach(() => rm(base, { recursive: true }));

function toolsFor(some: WorkdirFiles, media?: Pick<MediaStore, "store">): Tool[] {
  return [
    createListFilesTool(some),
    createReadFileTool({ files: some, media }),
    createWriteFileTool(some),
    createEditFileTool(some),
    createApplyPatchTool(some),
    createSearchFilesTool(some),
  ];
}

async function run(name: string, given: unknown, some = files, media?: Pick<MediaStore, "store">) {
  const tools = createToolSet(toolsFor(some, media));
  const executor = createToolExecutor({ tools, clock: systemClock });
  const context = { callId: "c", sessionKey: "s", signal: new AbortController().signal };
  const result = await executor.execute({ name, arguments: given }, context);
  const [first, ...others] = result.content;
  return { ...result, text: first?.type === "text" ? first.text : "", others };
}

const patch = (...lines: string[]) => ({ patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") });

describe("the file tools", () => {
  it("TOOL-01 TOOL-02 TOOL-09 TOOL-10 answer to every name that they have had", () => {
    const tools = createToolSet(toolsFor(files));
    const named = (names: string[]) => new Set(names.map((name) => tools.find(name)?.name));
    expect(named(["read", "fs.read_file", "file.read", "read_file"])).toEqual(new Set(["read"]));
    expect(named(["write", "file.write", "write_file", "fs.write_file"])).toEqual(new Set(["write"]));
    expect(named(["edit", "file.edit", "edit_file"])).toEqual(new Set(["edit"]));
    expect(named(["list", "fs.list_dir", "file.list", "list_dir", "list_files"])).toEqual(new Set(["list"]));
    expect(named(["search", "file.search", "search_files", "grep"])).toEqual(new Set(["search"]));
    expect(named(["apply_patch", "file.patch"])).toEqual(new Set(["apply_patch"]));
  });

  it("say which paths they would change, and steer by these alone", () => {
    const [, , write, edit, apply] = toolsFor(files);
    expect(write?.changes?.({ path: "x", content: "" })).toEqual(["x"]);
    expect(edit?.changes?.({ path: "x", oldText: "a", newText: "b" })).toEqual(["x"]);
    const given = patch(
      "*** Add File: n",
      "+x",
      "*** Update File: u",
      "*** Move to: m",
      "*** Delete File: d",
    );
    expect(apply?.changes?.(given)).toEqual(["n", "u", "m", "d"]);
    expect(apply?.changes?.({ patch: "nonsense" })).toEqual([]);
    expect([write, edit].map((tool) => tool?.controls)).toEqual([{ path: "path" }, { path: "path" }]);
    expect([write, edit, apply].map((tool) => tool?.idempotent)).toEqual([true, false, false]);
  });

  it("CFG-10 say aloud where they reach beyond the workdir", () => {
    const wide = createWorkdirFiles({ workdir: inside(""), closed: base, reach: "everywhere" });
    for (const tool of toolsFor(files)) expect(tool.description).toContain("of the workdir");
    for (const tool of toolsFor(wide)) expect(tool.description).toContain("anywhere");
  });

  it("TOOL-02 take few words to describe", () => {
    const described = toolsFor(files).map(({ name, description, input }) => ({ name, description, input }));
    expect(JSON.stringify(described).length / 4).toBeLessThan(600);
  });
});

describe("read", () => {
  it("reads lines from anywhere, and says how to go on", async () => {
    expect((await run("read", { path: "a.txt" })).text).toBe("one\ntwo\nthree\n");
    expect((await run("read", { path: "a.txt", offset: 2, limit: 1 })).text).toBe(
      "two\n\n[cut: 14 bytes in all; go on with offset 3]",
    );
    expect((await run("read", { path: "a.txt", offset: 3 })).text).toBe("three\n");
    expect((await run("read", { path: "a.txt", offset: 9 })).error?.message).toContain("there is no line 9");
    expect((await run("read", { path: "a.txt", maxBytes: 2 })).text).toContain("longer than maxBytes");
  });

  it("goes on where it said, until it has read all", async () => {
    const whole = Array.from({ length: 9000 }, (_, index) => `line ${index} 你好\n`).join("");
    await writeFile(inside("long.txt"), whole);
    let [seen, offset, rounds] = ["", 1, 0];
    while (rounds++ < 200) {
      const { text } = await run("read", { path: "long.txt", offset, limit: 700 });
      const mark = /\n\[cut: .* offset (\d+)\]$/.exec(text);
      seen += mark ? text.slice(0, mark.index) : text;
      if (!mark) break;
      offset = Number(mark[1]);
    }
    expect(seen).toBe(whole);
  });

  it("shows a picture to the model, whatever its name is", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    await writeFile(inside("picture.txt"), png);
    const kept: Uint8Array[] = [];
    const media: Pick<MediaStore, "store"> = {
      async store(content, { mimeType }) {
        kept.push(content);
        return { kind: "image", media: "m1", mimeType, name: "picture", sizeBytes: content.byteLength };
      },
    };
    const { text, others } = await run("read", { path: "picture.txt" }, files, media);
    expect(text).toBe(`picture.txt: image/png, ${png.length} bytes`);
    expect(others).toEqual([{ type: "image", media: "m1", mimeType: "image/png" }]);
    expect(Buffer.from(kept[0] ?? []).equals(png)).toBe(true);
    expect((await run("read", { path: "picture.txt" })).text).toContain("is not a text file: image/png");
  });

  it("says of what kind a file is that is no text", async () => {
    await writeFile(inside("b"), Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 0, 0, 0, 0]));
    await writeFile(inside("c"), Buffer.from([1, 0, 2]));
    expect((await run("read", { path: "b" })).text).toBe("b is not a text file: application/zip, 10 bytes");
    expect((await run("read", { path: "c" })).text).toBe("c is not a text file: unknown, 3 bytes");
  });

  it("answers with a clear error for a directory and for nothing", async () => {
    expect((await run("read", { path: "sub" })).error?.message).toBe("sub is a directory; list it instead");
    expect((await run("read", { path: "x" })).error).toEqual({
      code: "execution_error",
      message: "x does not exist",
    });
  });
});

describe("write", () => {
  it("makes and replaces", async () => {
    expect((await run("write", { path: "new/b.txt", content: "你好" })).text).toBe("made new/b.txt, 6 bytes");
    expect((await run("write", { path: "new/b.txt", content: "" })).text).toBe("replaced new/b.txt, 0 bytes");
    expect(await textAt("new/b.txt")).toBe("");
  });
});

describe("edit", () => {
  const edit = (oldText: string, newText: string, more = {}) =>
    run("edit", { path: "a.txt", oldText, newText, ...more });

  it("replaces what is there once", async () => {
    expect((await edit("two\nth", "2\nTH")).text).toBe("edited a.txt at line 2");
    expect(await textAt("a.txt")).toBe("one\n2\nTHree\n");
  });

  it("takes what it replaces and what it puts there as they are", async () => {
    await writeFile(inside("a.txt"), "a.c $1 abc");
    await edit("a.c", "$& $1 $$");
    expect(await textAt("a.txt")).toBe("$& $1 $$ $1 abc");
  });

  it("refuses what is there several times, unless all are meant", async () => {
    expect((await edit("o", "0")).error?.message).toBe(
      "oldText is 2 times in a.txt (lines 1, 2); give more of what is around it, or set all",
    );
    expect((await edit("o", "0", { all: true })).text).toBe("edited a.txt at lines 1, 2");
    expect(await textAt("a.txt")).toBe("0ne\ntw0\nthree\n");
  });

  it("says where something like it is, when it is not there", async () => {
    expect((await edit("two\n  three", "x")).error?.message).toBe(
      "oldText is not in a.txt; line 2 differs from it in white space",
    );
    expect((await edit("two\nfour", "x")).error?.message).toContain("line 2 is like its first line");
    expect((await edit("zero", "x")).error?.message).toBe("oldText is not in a.txt");
    expect(await textAt("a.txt")).toBe("one\ntwo\nthree\n");
  });

  it("keeps line ends, byte order mark and mode", async () => {
    await writeFile(inside("a.txt"), "\uFEFFone\r\ntwo\r\nthree\r\n");
    await chmod(inside("a.txt"), 0o755);
    await edit("two\nthree", "2\n2½\n3");
    expect(await textAt("a.txt")).toBe("\uFEFFone\r\n2\r\n2½\r\n3\r\n");
    expect((await stat(inside("a.txt"))).mode & 0o777).toBe(0o755);
  });

  it("leaves lines as they are in a file that mixes its line ends", async () => {
    await writeFile(inside("a.txt"), "one\r\ntwo\nthree\r\n");
    await edit("two\n", "2\n");
    expect(await textAt("a.txt")).toBe("one\r\n2\nthree\r\n");
  });
});

describe("apply_patch", () => {
  it("adds, changes, moves and removes", async () => {
    await writeFile(inside("b.txt"), "1\n2\n3\n4\n5\n6\n7\n8\n");
    await writeFile(inside("c.txt"), "gone\n");
    await writeFile(inside("d.txt"), "x\n");
    await chmod(inside("d.txt"), 0o700);
    const { text } = await run(
      "apply_patch",
      patch(
        "*** Add File: new/n.txt",
        "+first",
        "+",
        "*** Update File: b.txt",
        "@@",
        " 1",
        "-2",
        "+two",
        "@@ 5",
        "-6",
        "+six",
        "*** Update File: d.txt",
        "*** Move to: sub/e.txt",
        "@@",
        "-x",
        "+y",
        "*** Delete File: c.txt",
      ),
    );
    expect(text).toBe("made new/n.txt\nchanged b.txt\nchanged d.txt, now sub/e.txt\nremoved c.txt");
    expect(await textAt("new/n.txt")).toBe("first\n\n");
    expect(await textAt("b.txt")).toBe("1\ntwo\n3\n4\n5\nsix\n7\n8\n");
    expect(await textAt("sub/e.txt")).toBe("y\n");
    expect((await stat(inside("sub/e.txt"))).mode & 0o777).toBe(0o700);
    expect((await readdir(inside(""))).sort()).toEqual(["a.txt", "b.txt", "new", "sub"]);
  });

  it("finds a place by the line to start from, at the end, and for what is only added", async () => {
    await writeFile(inside("b.txt"), "f() {\n  x\n}\ng() {\n  x\n}");
    await run("apply_patch", patch("*** Update File: b.txt", "@@ g() {", "-  x", "+  y"));
    expect(await textAt("b.txt")).toBe("f() {\n  x\n}\ng() {\n  y\n}");
    await run("apply_patch", patch("*** Update File: b.txt", "@@", "-}", "+};", "*** End of File"));
    expect(await textAt("b.txt")).toBe("f() {\n  x\n}\ng() {\n  y\n};");
    await run("apply_patch", patch("*** Update File: b.txt", "@@ f() {", "+  first"));
    expect(await textAt("b.txt")).toBe("f() {\n  first\n  x\n}\ng() {\n  y\n};");
  });

  it("keeps line ends and byte order mark", async () => {
    await writeFile(inside("b.txt"), "\uFEFFone\r\ntwo\r\n");
    await run("apply_patch", patch("*** Update File: b.txt", "-one", "+1", " two"));
    expect(await textAt("b.txt")).toBe("\uFEFF1\r\ntwo\r\n");
  });

  it("changes nothing when one file of several does not fit", async () => {
    const { error } = await run(
      "apply_patch",
      patch(
        "*** Add File: n.txt",
        "+x",
        "*** Update File: a.txt",
        "@@",
        " one",
        "-zwei",
        "+2",
        "*** Delete File: a2.txt",
      ),
    );
    expect(error?.message).toBe('hunk 1 does not fit a.txt: there is no line "zwei"');
    expect(await readdir(inside(""))).toEqual(["a.txt", "sub"]);
  });

  it.each([
    ["no beginning", "*** Add File: x", /begins with/],
    ["no end", "*** Begin Patch\n*** Add File: x\n+x", /ends with/],
    ["nothing in it", "*** Begin Patch\n*** End Patch", /changes no file/],
    ["a line before any file", "*** Begin Patch\n+x\n*** End Patch", /line 2 of the patch/],
    [
      "a line without a mark",
      "*** Begin Patch\n*** Update File: a.txt\nx\n*** End Patch",
      /line 3 of the patch/,
    ],
    [
      "the same file twice",
      "*** Begin Patch\n*** Delete File: a.txt\n*** Delete File: a.txt\n*** End Patch",
      /twice/,
    ],
    [
      "a new file that is there",
      "*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch",
      /is there already/,
    ],
    ["a way out", "*** Begin Patch\n*** Add File: ../x\n+x\n*** End Patch", /outside the workdir/],
    [
      "a file to be moved out",
      "*** Begin Patch\n*** Update File: a.txt\n*** Move to: ../x\n*** End Patch",
      /outside/,
    ],
  ])("refuses a patch with %s", async (_what, given, message) => {
    expect((await run("apply_patch", { patch: given })).error?.message).toMatch(message);
    expect(await textAt("a.txt")).toBe("one\ntwo\nthree\n");
    expect(await readdir(base)).toEqual(["work"]);
  });

  it("puts back what was written when a later write fails", async () => {
    await writeFile(inside("b.txt"), "b\n");
    await chmod(inside("b.txt"), 0o700);
    const failing = ["change", "remove", "move"] as const;
    const given = patch(
      "*** Add File: n.txt",
      "+x",
      "*** Update File: a.txt",
      "-two",
      "+2",
      "*** Delete File: b.txt",
      "*** Add File: last/o.txt",
      "+x",
      "*** Update File: sub/s.txt",
      "*** Move to: m.txt",
      "-s",
      "+t",
    );
    await writeFile(inside("sub/s.txt"), "s\n");
    for (const verb of failing) {
      let left = verb === "change" ? 1 : 0;
      const broken: WorkdirFiles = {
        ...files,
        async [verb](...args: never[]) {
          left -= 1;
          if (left < 0 && left > -2) throw new Error("the disk is full");
          return (files[verb] as (...given: never[]) => Promise<void>)(...args);
        },
      };
      const { error } = await run("apply_patch", given, broken);
      expect(error?.message).toBe("the disk is full; nothing was changed");
      expect([await textAt("a.txt"), await textAt("b.txt"), await textAt("sub/s.txt")]).toEqual([
        "one\ntwo\nthree\n",
        "b\n",
        "s\n",
      ]);
      expect((await stat(inside("b.txt"))).mode & 0o777).toBe(0o700);
      expect((await readdir(inside(""))).filter((name) => name !== "last")).toEqual([
        "a.txt",
        "b.txt",
        "sub",
      ]);
    }
  });
});

describe("search and list", () => {
  it("tell what they found, line by line", async () => {
    expect((await run("search", { query: "o" })).text).toBe("a.txt:1: one\na.txt:2: two");
    expect((await run("search", { query: "o", maxResults: 1 })).text).toBe("a.txt:1: one\n[cut at 1]");
    expect((await run("search", { query: "nowhere" })).text).toBe("(nothing found)");
    expect((await run("search", { query: "a", in: "names" })).text).toBe("a.txt");
    expect((await run("list", {})).text).toBe("sub/\na.txt");
  });
});
