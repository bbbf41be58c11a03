import { mkdir, readFile, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isLabelWithin, type Label } from "@pincer/sdk";
import { array, assert, asyncProperty, constantFrom, record } from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemDisk } from "../../sandbox/replace-file.ts";
import { createApplyPatchTool } from "../../tools/files/apply-patch.ts";
import { createEditFileTool } from "../../tools/files/edit-file.ts";
import { createListFilesTool } from "../../tools/files/list-files.ts";
import { createReadFileTool } from "../../tools/files/read-file.ts";
import { createSearchFilesTool } from "../../tools/files/search-files.ts";
import { createWriteFileTool } from "../../tools/files/write-file.ts";
import { unknownLabel } from "./file-labels.ts";
import { callFrom as from, createLabelStage, type LabelStage } from "./testing/label-stage.ts";

let stage: LabelStage;
beforeEach(async () => {
  stage = await createLabelStage();
});
afterEach(() => stage.remove());

const clean: Label = { untrusted: false, sources: [] };
const stranger: Label = { untrusted: true, sources: ["memory"] };
const file = (name: string): Label => ({ untrusted: true, sources: [`file:${name}`] });
const labels = () => stage.labels().files;

const write = (path: string, content: string, context = from(clean)) =>
  createWriteFileTool(stage.files, labels()).run({ path, content }, context);
const edit = (path: string, oldText: string, newText: string, context = from(clean)) =>
  createEditFileTool(stage.files, labels()).run({ path, oldText, newText }, context);
const patch = (text: string, context = from(clean)) =>
  createApplyPatchTool(stage.files, labels()).run(
    { patch: `*** Begin Patch\n${text}\n*** End Patch` },
    context,
  );
describe("the label of a file", () => {
  it("is untrusted and private as itself where nobody has said anything", async () => {
    await stage.put("a.md", "x");
    expect(await stage.labelOf("a.md")).toEqual(file("a.md"));
  });

  it("is that of memory and of the person for their own files", async () => {
    await stage.put("MEMORY.md", "x");
    await stage.put("USER.md", "x");
    await mkdir(join(stage.workdir, "memory"));
    await stage.put("memory/2026-01-01.md", "x");
    const found = await Promise.all(["MEMORY.md", "memory/2026-01-01.md", "USER.md"].map(stage.labelOf));
    expect(found.map((label) => label?.sources)).toEqual([["memory"], ["memory"], ["user"]]);
  });

  it("is that of the context that wrote it, besides itself", async () => {
    await write("a.md", "x", from(stranger));
    expect(await stage.labelOf("a.md")).toEqual({ untrusted: true, sources: ["file:a.md", "memory"] });
    await write("a.md", "y", from(clean));
    expect(await stage.labelOf("a.md")).toEqual({ untrusted: false, sources: ["file:a.md"] });
  });

  it("may hold anything where nobody knows what the context was", async () => {
    await write("a.md", "x", from());
    expect(isLabelWithin(unknownLabel, (await stage.labelOf("a.md")) ?? clean)).toBe(true);
  });

  it("joins the file's with that of the context that edits it, and forgets it when all of it is replaced", async () => {
    await write("a.md", "one two", from(stranger));
    await edit("a.md", "one", "three");
    expect(await stage.labelOf("a.md")).toMatchObject({ untrusted: true, sources: ["file:a.md", "memory"] });
    await write("a.md", "mine");
    expect(await stage.labelOf("a.md")).toMatchObject({ untrusted: false });
  });

  it("goes with a file that is moved or copied, joined with the context that moves it", async () => {
    await write("a.md", "one\n", from(stranger));
    await patch("*** Update File: a.md\n*** Move to: b.md\n@@\n-one\n+two");
    expect(await stage.labelOf("b.md")).toMatchObject({
      untrusted: true,
      sources: ["file:a.md", "file:b.md", "memory"],
    });
    await stage.later();
    // By somebody's hand, or by a program.
    await stage.put("c.md", await readFile(join(stage.workdir, "b.md"), "utf8"));
    expect(await stage.labelOf("c.md")).toMatchObject({
      sources: expect.arrayContaining(["file:c.md", "memory"]),
    });
    await rename(join(stage.workdir, "b.md"), join(stage.workdir, "d.md"));
    expect(await stage.labelOf("d.md")).toMatchObject({ sources: expect.arrayContaining(["memory"]) });
  });

  it("is wider for what a program may have changed, whatever time it sets", async () => {
    await write("a.md", "mine");
    await stage.put("old.md", "mine");
    await stage.later();
    await stage.program(async () => {
      await stage.put("a.md", "its");
      await stage.put("b.md", "its");
      await utimes(join(stage.workdir, "b.md"), 0, 0);
    });
    await stage.later();
    for (const name of ["a.md", "b.md"])
      expect(await stage.labelOf(name)).toEqual({ untrusted: true, sources: [`file:${name}`, "workdir"] });
    expect(await stage.labelOf("old.md")).toEqual(file("old.md"));
    await stage.put("b.md", "by the owner's editor");
    expect(await stage.labelOf("b.md")).toEqual(file("b.md"));
  });

  it("is unknown where it cannot be looked up", async () => {
    await stage.put("a.md", "x");
    stage.open({ describeFiles: async () => Promise.reject(new Error("no disk")) });
    expect(await stage.labelOf("a.md")).toEqual(unknownLabel);
  });
});

describe("what tools show of files", () => {
  const shown = (output: { label?: Label }) => output.label;

  it("has the label of all files whose content or names are shown", async () => {
    await write("a.md", "needle", from(stranger));
    await stage.put("b.md", "needle");
    await mkdir(join(stage.workdir, "sub"));
    await stage.put("sub/c.md", "other");
    const read = createReadFileTool({ files: stage.files, labels: labels() });
    expect(shown(await read.run({ path: "a.md" }, from()))?.sources).toEqual(["file:a.md", "memory"]);
    const search = createSearchFilesTool(stage.files, labels());
    const found = await search.run({ query: "needle" }, from());
    expect(shown(found)).toEqual({ untrusted: true, sources: ["file:a.md", "file:b.md", "memory"] });
    expect(shown(await search.run({ query: "c", in: "names" }, from()))).toEqual(file("sub/"));
    const list = createListFilesTool(stage.files, labels());
    expect(shown(await list.run({}, from()))).toEqual(file("./"));
    expect(shown(await list.run({ recursive: true }, from()))).toEqual({
      untrusted: true,
      sources: ["file:./", "file:sub/"],
    });
    await stage.later();
    await stage.program(() => stage.put("sub/named-by-a-program", ""));
    expect(shown(await list.run({ path: "sub" }, from()))?.sources).toContain("workdir");
  });

  it("is clean for what they say of their own writing", async () => {
    expect(shown(await write("a.md", "x", from(stranger)))).toEqual(clean);
    expect(shown(await edit("a.md", "x", "y", from(stranger)))).toEqual(clean);
    expect(shown(await patch("*** Add File: b.md\n+x", from(stranger)))).toEqual(clean);
  });
});

describe("a crash or a failure between the write and its label", () => {
  /** At the n-th thing that would change the disk or the database: ends all work, or only that fails, and what can be put back is. */
  function breakAt(step: number, how: "killed" | "failed") {
    let left = step;
    const die =
      <Args extends unknown[], Result>(act: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        const isOver = how === "killed" ? left <= 0 : left === 0;
        left -= 1;
        if (isOver) throw new Error(how);
        return act(...args);
      };
    const { stores, disk } = stage;
    const { labelFiles, forgetOthers, forgetFiles } = stores.gate;
    stage.open({
      labelFiles: die(labelFiles),
      forgetOthers: die(forgetOthers),
      forgetFiles: die(forgetFiles),
    });
    disk.rename = die(systemDisk.rename);
    disk.link = die(systemDisk.link);
    disk.unlink = die(systemDisk.unlink);
    return () => left < 0;
  }
  function restart(): void {
    stage.open();
    Object.assign(stage.disk, systemDisk);
  }

  /** No content twice: one that was labelled before would help. */
  let round = 0;

  it.each(["killed", "failed"] as const)(
    "never leaves a file with less than what it may hold: %s",
    async (how) => {
      for (const act of [
        () => write("a.md", "new text", from(stranger)),
        () => edit("a.md", "old", "new", from(stranger)),
        () => patch("*** Update File: a.md\n@@\n-old text\n+new text", from(stranger)),
        () => patch("*** Update File: a.md\n*** Move to: b.md\n@@\n-old text\n+new text", from(stranger)),
        () =>
          patch(
            "*** Add File: b.md\n+new text\n*** Update File: a.md\n@@\n-old text\n+new text",
            from(stranger),
          ),
        () => patch("*** Update File: a.md\n@@\n-old text\n+new text\n*** Delete File: z.md", from(stranger)),
      ]) {
        for (let step = 0, wasBroken = true; wasBroken; step++) {
          await stage.program(async () => {
            for (const name of ["a.md", "z.md"]) await stage.put(name, `old text\n${name} ${round++}\n`);
            await rm(join(stage.workdir, "b.md"), { force: true });
          });
          await stage.later();
          const isBroken = breakAt(step, how);
          await act().catch(() => undefined);
          wasBroken = isBroken();
          restart();
          for (const name of ["a.md", "b.md", "z.md"]) {
            const text = await readFile(join(stage.workdir, name), "utf8").catch(() => undefined);
            if (text === undefined) continue;
            const label = (await stage.labelOf(name)) ?? clean;
            const least = text.includes("new") ? stranger : { untrusted: true, sources: ["workdir"] };
            expect([name, text, step, label, isLabelWithin(least, label)]).toEqual([
              name,
              text,
              step,
              label,
              true,
            ]);
          }
        }
      }
    },
  );
});

it("whatever programs, tools and people do, what a program may have changed holds the whole workdir", async () => {
  const name = constantFrom("a.md", "b.md");
  const step = record({ who: constantFrom("program", "edit", "write", "person"), name });
  await assert(
    asyncProperty(array(step, { maxLength: 8 }), async (steps) => {
      /** Those whose content is the program's work, in part at least. */
      const itsWork = new Set<string>();
      for (const each of ["a.md", "b.md"]) await stage.put(each, "x");
      await stage.later();
      for (const { who, name: each } of steps) {
        if (who === "program") {
          await stage.program(() => stage.put(each, `x ${Math.random()}`));
          itsWork.add(each);
        } else if (who === "edit") await edit(each, "x", "x!");
        else if (who === "write") {
          await write(each, `x ${Math.random()}`);
          itsWork.delete(each);
        } else {
          await stage.later();
          await stage.put(each, `x ${Math.random()}`);
          itsWork.delete(each);
        }
      }
      for (const each of itsWork)
        expect(
          isLabelWithin({ untrusted: true, sources: ["workdir"] }, (await stage.labelOf(each)) ?? clean),
        ).toBe(true);
    }),
    { numRuns: 30 },
  );
});
