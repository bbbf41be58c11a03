import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorkdirFiles } from "../../sandbox/workdir-files.ts";
import { createPromptFiles, type PromptFiles } from "./prompt-files.ts";

let workdir: string;
let prompt: PromptFiles;
beforeEach(async () => {
  workdir = await mkdtemp(join(tmpdir(), "pincer-prompt-files-"));
  const files = createWorkdirFiles({ workdir, closed: join(workdir, "..", "no-home") });
  prompt = createPromptFiles({ files });
});
afterEach(() => rm(workdir, { recursive: true }));

const limits = { maxChars: 20, totalMaxChars: 50 };
async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(workdir, path)), { recursive: true });
  await writeFile(join(workdir, path), text);
}

describe("the files that people bring", () => {
  it("are read in a fixed order, without memory", async () => {
    for (const name of ["TOOLS", "SOUL", "MEMORY", "USER", "IDENTITY", "AGENTS"])
      await put(`${name}.md`, name);
    const { files, skipped } = await prompt.read(limits, "person", "main");
    const { text: override } = await prompt.override(limits, "main");
    expect(files.map(({ text }) => text)).toEqual(["AGENTS", "SOUL", "USER", "IDENTITY", "TOOLS"]);
    expect(files[0]).toEqual({ name: "AGENTS.md", text: "AGENTS", truncated: false });
    expect([override, skipped]).toEqual([undefined, []]);
  });

  it("SEC-02 have nothing about the owner where others read the answer", async () => {
    for (const name of ["USER", "AGENTS"]) await put(`${name}.md`, name);
    for (const turn of ["person", "system"] as const) {
      const { files } = await prompt.read(limits, turn, "main", "others");
      expect(files.map(({ name }) => name)).toEqual(["AGENTS.md"]);
    }
  });

  it("have HEARTBEAT.md among them only when nobody asks", async () => {
    await put("HEARTBEAT.md", "look around");
    expect((await prompt.read(limits, "person", "main")).files).toEqual([]);
    expect((await prompt.read(limits, "system", "main")).files.map(({ name }) => name)).toEqual([
      "HEARTBEAT.md",
    ]);
  });

  it("are cut to the limit of each and of all", async () => {
    for (const name of ["AGENTS", "SOUL", "USER", "TOOLS"]) await put(`${name}.md`, "你".repeat(100));
    const { files, skipped } = await prompt.read(limits, "person", "main");
    expect(files.map(({ text, truncated }) => [text.length, truncated])).toEqual([
      [20, true],
      [20, true],
      [10, true],
    ]);
    expect(skipped).toEqual([{ name: "TOOLS.md", reason: "there is no room left for it" }]);
  });

  it("are skipped with a reason when they are something else", async () => {
    await mkdir(join(workdir, "SOUL.md"));
    await writeFile(join(workdir, "USER.md"), Buffer.from([0, 1]));
    await symlink("/etc/hostname", join(workdir, "TOOLS.md"));
    const { files, skipped } = await prompt.read(limits, "person", "main");
    expect(files).toEqual([]);
    expect(skipped.map(({ name }) => name)).toEqual(["SOUL.md", "USER.md", "TOOLS.md"]);
  });
});

describe("the prompt of a workdir", () => {
  it("CTX-04 CFG-13 is read from .agent/system-prompt.md, trimmed, besides the limit of the others", async () => {
    await put(".agent/system-prompt.md", "\n You are Molly. \n");
    const tight = { maxChars: 20, totalMaxChars: 0 };
    const { files } = await prompt.read(tight, "person", "main");
    expect([files, await prompt.override(tight, "main")]).toEqual([
      [],
      { text: "You are Molly.", skipped: [] },
    ]);
  });

  it("CTX-04 is none when the file is empty, and says so when it cannot be used", async () => {
    await put(".agent/system-prompt.md", " \n");
    expect(await prompt.override(limits, "main")).toEqual({ text: undefined, skipped: [] });
    await rm(join(workdir, ".agent"), { recursive: true });
    await mkdir(join(workdir, ".agent/system-prompt.md"), { recursive: true });
    const { text, skipped } = await prompt.override(limits, "main");
    expect([text, skipped.map(({ name }) => name)]).toEqual([undefined, [".agent/system-prompt.md"]]);
  });
});

it("the stamp changes with each of the files, and only with them", async () => {
  const seen = new Set([prompt.stamp()]);
  const names = ["AGENTS", "SOUL", "USER", "IDENTITY", "TOOLS", "HEARTBEAT"].map((name) => `${name}.md`);
  for (const name of [...names, ".agent/system-prompt.md"]) {
    await put(name, "x");
    seen.add(prompt.stamp());
  }
  expect(seen.size).toBe(8);
  await put("other.md", "x");
  expect(seen.has(prompt.stamp())).toBe(true);
});
