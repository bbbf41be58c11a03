import {
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  readdir,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { watchSteeringFiles, type SteeringWatch } from "./steering-files.ts";
import { createWorkdirFiles } from "./workdir-files.ts";
import { createWorkdirRegistry, type WorkdirRegistry } from "./workdir-registry.ts";
import { createWorkdirOpener } from "./workdir-opener.ts";

const names = ["AGENTS.md", "MEMORY.md", "memory", "skills", ".agent"];

let root: string;
let workdir: string;
let registry: WorkdirRegistry;
let watches: SteeringWatch[];
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pincer-steering-")));
  workdir = join(root, "work");
  await mkdir(workdir);
  registry = createWorkdirRegistry();
  watches = [];
});
afterEach(async () => {
  for (const watch of watches) watch.end();
  await rm(root, { recursive: true });
});

async function watch(byWall: "read-only" | "writable" = "writable"): Promise<SteeringWatch> {
  const opener = createWorkdirOpener({ workdir, closed: join(root, "home"), registry });
  const made = await watchSteeringFiles({ workdir, names, opener, registry }, byWall);
  watches.push(made);
  return made;
}
const put = (name: string, text: string) => writeFile(join(workdir, name), text);
const read = (name: string) => readFile(join(workdir, name), "utf8");

describe("files that steer the assistant", () => {
  it("SAFE-04 are moved aside when they appear, and nothing else is", async () => {
    const { inspect } = await watch();
    await put("AGENTS.md", "obey me");
    await put("README.md", "a text");
    expect(await inspect()).toEqual(["AGENTS.md"]);
    expect((await readdir(workdir)).sort()).toEqual(["AGENTS.md.unreviewed", "README.md"]);
    expect(await read("AGENTS.md.unreviewed")).toBe("obey me");
    expect(await inspect()).toEqual([]);
  });

  it("SAFE-04 are put back when they change or go, and what was written is kept beside", async () => {
    await put("AGENTS.md", "mine");
    await put("MEMORY.md", "remembered");
    await mkdir(join(workdir, "skills/one"), { recursive: true });
    await put("skills/one/SKILL.md", "a skill");
    const { inspect } = await watch();
    await put("AGENTS.md", "obey");
    await rm(join(workdir, "MEMORY.md"));
    await rm(join(workdir, "skills"), { recursive: true });
    expect((await inspect()).sort()).toEqual(["AGENTS.md", "MEMORY.md", "skills/one/SKILL.md"]);
    expect(await read("AGENTS.md")).toBe("mine");
    expect(await read("AGENTS.md.unreviewed")).toBe("obey");
    expect(await read("MEMORY.md")).toBe("remembered");
    expect(await read("skills/one/SKILL.md")).toBe("a skill");
    expect(await inspect()).toEqual([]);
  });

  it("SAFE-04 go as a whole directory where none was there, and one by one where one was", async () => {
    await mkdir(join(workdir, "skills"));
    await put("skills/own.md", "own");
    const { inspect } = await watch();
    await mkdir(join(workdir, ".agent/deep"), { recursive: true });
    await put(".agent/deep/a.md", "obey");
    await put("skills/evil.md", "obey");
    expect((await inspect()).sort()).toEqual([".agent", "skills/evil.md"]);
    expect(await read(".agent.unreviewed/deep/a.md")).toBe("obey");
    expect(await readdir(join(workdir, "skills"))).toEqual(["own.md"]);
    expect(await read("skills.unreviewed/evil.md")).toBe("obey");
    expect(await inspect()).toEqual([]);
  });

  it("SAFE-04 are known as the same when somebody only touched them", async () => {
    await put("AGENTS.md", "mine");
    const { inspect } = await watch();
    await put("AGENTS.md", "mine");
    expect(await inspect()).toEqual([]);
  });

  it("SAFE-04 are kept aside each under a name of its own", async () => {
    const { inspect } = await watch();
    for (const text of ["one", "two", "three"]) {
      await put("AGENTS.md", text);
      await inspect();
    }
    expect(await read("AGENTS.md.unreviewed")).toBe("one");
    expect(await read("AGENTS.md.unreviewed-2")).toBe("two");
    expect(await read("AGENTS.md.unreviewed-3")).toBe("three");
  });

  it("SAFE-04 a link that appears is moved, and what it leads to is not touched", async () => {
    await mkdir(join(root, "outside"));
    await writeFile(join(root, "outside/SKILL.md"), "theirs");
    const { inspect } = await watch();
    await symlink(join(root, "outside"), join(workdir, "skills"));
    await symlink(join(root, "outside/SKILL.md"), join(workdir, "AGENTS.md"));
    expect((await inspect()).sort()).toEqual(["AGENTS.md", "skills"]);
    expect(await readdir(join(root, "outside"))).toEqual(["SKILL.md"]);
    expect((await lstat(join(workdir, "skills.unreviewed"))).isSymbolicLink()).toBe(true);
  });

  it("SAFE-04 a link into the workdir counts by what it leads to", async () => {
    await mkdir(join(workdir, "docs"));
    await put("docs/RULES.md", "mine");
    await symlink("docs/RULES.md", join(workdir, "AGENTS.md"));
    const { there, inspect } = await watch();
    expect(there).toEqual(["docs/RULES.md"]);
    await put("docs/RULES.md", "obey");
    await rm(join(workdir, "AGENTS.md"));
    await put("AGENTS.md", "obey");
    expect((await inspect()).sort()).toEqual(["AGENTS.md", "docs/RULES.md"]);
    expect(await readlink(join(workdir, "AGENTS.md"))).toBe("docs/RULES.md");
    expect(await read("AGENTS.md")).toBe("mine");
  });

  it("are named for a wall where they are there, and only new ones count behind one that keeps them", async () => {
    await put("AGENTS.md", "mine");
    await mkdir(join(workdir, "memory"));
    const { there, inspect } = await watch("read-only");
    expect([...there].sort()).toEqual(["AGENTS.md", "memory"]);
    await put("AGENTS.md", "the owner's own change");
    await put("memory/note.md", "a note");
    await put("MEMORY.md", "obey");
    expect(await inspect()).toEqual(["MEMORY.md"]);
    expect(await read("AGENTS.md")).toBe("the owner's own change");
    expect(await read("memory/note.md")).toBe("a note");
  });
});

describe("what Pincer itself writes meanwhile", () => {
  const files = () => createWorkdirFiles({ workdir, closed: join(root, "home"), registry });
  const append = (path: string, text: string) => files().append(path, 1000, () => text);

  it("stays, new or changed", async () => {
    await put("AGENTS.md", "mine");
    const { inspect } = await watch();
    await append("memory/today.md", "noted");
    await files().write("AGENTS.md", "changed with the owner's yes");
    await append("memory/today.md", "noted again");
    expect(await inspect()).toEqual([]);
    expect(await read("memory/today.md")).toBe("notednoted again");
    expect(await read("AGENTS.md")).toBe("changed with the owner's yes");
  });

  it("SAFE-04 does not make a file good that a program had made before", async () => {
    const { inspect } = await watch();
    await mkdir(join(workdir, "memory"));
    await put("memory/today.md", "obey. ");
    await put("memory/old.md", "obey");
    await append("memory/today.md", "noted");
    await append("memory/new.md", "noted");
    expect((await inspect()).sort()).toEqual(["memory/old.md", "memory/today.md"]);
    expect(await readdir(join(workdir, "memory"))).toEqual(["new.md"]);
    expect((await readdir(join(workdir, "memory.unreviewed"))).sort()).toEqual(["old.md", "today.md"]);
  });

  it("is not heard of any more after the end", async () => {
    const { end, inspect } = await watch();
    end();
    await append("memory/today.md", "noted");
    expect(await inspect()).toEqual(["memory"]);
    await rename(join(workdir, "memory.unreviewed"), join(workdir, "memory"));
  });
});
