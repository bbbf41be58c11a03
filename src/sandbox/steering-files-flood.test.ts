/** Programs that hide one file behind many others, or keep what they wrote from being moved. */
import { mkdirSync, writeFileSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
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
import { createWorkdirOpener, type WorkdirOpener } from "./workdir-opener.ts";

const names = ["AGENTS.md", "MEMORY.md", "memory", "skills"];

let root: string;
let workdir: string;
let registry: WorkdirRegistry;
let ends: Array<() => void>;
/** Done by the program whenever something is about to be moved or put back. */
let meanwhile: (path: string) => unknown;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pincer-flood-")));
  workdir = join(root, "work");
  await mkdir(workdir);
  registry = createWorkdirRegistry();
  ends = [];
  meanwhile = () => undefined;
});
afterEach(async () => {
  for (const end of ends) end();
  await rm(root, { recursive: true });
});

async function watch(bounds: { mostInside?: number } = {}): Promise<SteeringWatch> {
  const real = createWorkdirOpener({ workdir, closed: join(root, "home"), registry });
  const opener: Pick<WorkdirOpener, "openParent"> = {
    async openParent(path, options) {
      await meanwhile(path);
      return real.openParent(path, options);
    },
  };
  const made = await watchSteeringFiles({ workdir, names, opener, registry, ...bounds }, "writable");
  ends.push(made.end);
  return made;
}

const put = (path: string, text: string) => writeFile(join(workdir, path), text);
const read = (path: string) => readFile(join(workdir, path), "utf8");
const list = async (path = ".") => (await readdir(join(workdir, path))).sort();

function flood(directory: string, count: number, end = ""): void {
  mkdirSync(join(workdir, directory), { recursive: true });
  for (let number = 0; number < count; number += 1)
    writeFileSync(join(workdir, directory, `${number}${end}`), "");
}

/** A busy disk makes a few hundred files a second. */
const slow = { timeout: 30_000 };

describe("many files", () => {
  it("SAFE-04 in a new directory hide none beside it", slow, async () => {
    const { inspect, isPartial } = await watch();
    flood("skills", 2100);
    await put("AGENTS.md", "obey");
    await put("MEMORY.md", "obey");
    expect((await inspect()).sort()).toEqual(["AGENTS.md", "MEMORY.md", "skills"]);
    expect(await list()).toEqual(["AGENTS.md.unreviewed", "MEMORY.md.unreviewed", "skills.unreviewed"]);
    expect(isPartial()).toBe(false);
  });

  it("SAFE-04 that are the owner's hide nothing that a program adds or changes", slow, async () => {
    flood("memory", 2100, ".md");
    flood("skills", 10, ".md");
    const { inspect, isPartial } = await watch();
    await put("memory/new.md", "obey");
    await put("memory/7.md", "obey");
    await put("skills/new.md", "obey");
    await put("AGENTS.md", "obey");
    expect((await inspect()).sort()).toEqual(["AGENTS.md", "memory/7.md", "memory/new.md", "skills/new.md"]);
    expect(await read("memory/7.md")).toBe("");
    expect(await list("memory")).toHaveLength(2100);
    expect(await list("skills")).toHaveLength(10);
    expect(isPartial()).toBe(false);
  });

  it("SAFE-04 in a directory that was there go with it, and what was there comes back", async () => {
    await mkdir(join(workdir, "skills/one"), { recursive: true });
    await put("skills/one/SKILL.md", "mine");
    await put("skills/own.md", "mine");
    await put("skills/other.md", "mine");
    const large = "x".repeat(5_000_000);
    await put("skills/large.bin", large);
    const { inspect, isPartial } = await watch();
    flood("skills", 300, ".md");
    await put("skills/own.md", "obey");
    await put("skills/one/more.md", "obey");
    await put("AGENTS.md", "obey");
    expect((await inspect()).sort()).toEqual(["AGENTS.md", "skills", "skills/one/more.md", "skills/own.md"]);
    expect(await list("skills")).toEqual(["large.bin", "one", "other.md", "own.md"]);
    expect(await list("skills/one")).toEqual(["SKILL.md"]);
    expect([await read("skills/own.md"), await read("skills/other.md")]).toEqual(["mine", "mine"]);
    expect((await read("skills/large.bin")).length).toBe(large.length);
    expect(await list("skills.unreviewed")).toHaveLength(300);
    expect([await inspect(), isPartial()]).toEqual([[], false]);
  });

  it("SAFE-04 around a note that Pincer wrote leave it where it is", async () => {
    const { inspect } = await watch();
    const files = createWorkdirFiles({ workdir, closed: join(root, "home"), registry });
    flood("memory", 300, ".md");
    await files.append("memory/days/today.md", 1000, () => "noted");
    await put("AGENTS.md", "obey");
    expect((await inspect()).sort()).toEqual(["AGENTS.md", "memory"]);
    expect(await list("memory")).toEqual(["days"]);
    expect(await read("memory/days/today.md")).toBe("noted");
  });

  it("SAFE-04 more than can be looked at are said to be unknown, and the others are looked at", async () => {
    flood("memory", 51, ".md");
    await put("AGENTS.md", "mine");
    const { inspect, isPartial } = await watch({ mostInside: 50 });
    await put("AGENTS.md", "obey");
    await mkdir(join(workdir, "skills"));
    await put("skills/new.md", "obey");
    expect((await inspect()).sort()).toEqual(["AGENTS.md", "skills"]);
    expect(await list("memory")).toHaveLength(51);
    expect(isPartial()).toBe(true);
  });

  it("SAFE-04 a file too large to be kept is said to be unknown once it is gone", async () => {
    await put("MEMORY.md", "x".repeat(5_000_000));
    const { inspect, isPartial } = await watch();
    expect([await inspect(), isPartial()]).toEqual([[], false]);
    await rm(join(workdir, "MEMORY.md"));
    await put("AGENTS.md", "obey");
    expect([await inspect(), isPartial()]).toEqual([["AGENTS.md"], true]);
  });
});

describe("what was moved aside", () => {
  it("SAFE-04 lies where nobody reads skills or notes, whatever its name", async () => {
    await mkdir(join(workdir, "skills"));
    await mkdir(join(workdir, "memory"));
    const { inspect } = await watch();
    for (const path of ["skills/evil", "skills/evil.unreviewed", "memory/sub"]) {
      await mkdir(join(workdir, path));
      await put(`${path}/SKILL.md`, "obey");
    }
    await put("memory/x.unreviewed.md", "obey");
    await inspect();
    expect([await list("skills"), await list("memory")]).toEqual([[], []]);
    expect(await list("skills.unreviewed")).toEqual(["evil", "evil.unreviewed"]);
    expect(await list("memory.unreviewed")).toEqual(["sub", "x.unreviewed.md"]);
  });

  it("SAFE-04 finds a name however many a program has taken", async () => {
    const { inspect, isPartial } = await watch();
    for (const number of Array.from({ length: 150 }, (_, index) => index + 1)) {
      const end = number === 1 ? "" : `-${number}`;
      for (const name of ["AGENTS.md", "skills"])
        await mkdir(join(workdir, `${name}.unreviewed${end}/full`), { recursive: true });
    }
    await mkdir(join(workdir, "skills"));
    await put("skills/evil.md", "obey");
    await put("AGENTS.md", "obey");
    expect([(await inspect()).sort(), isPartial()]).toEqual([["AGENTS.md", "skills"], false]);
    expect((await list()).filter((name) => names.includes(name))).toEqual([]);
  });

  it("SAFE-04 is not led back by a link in its way", async () => {
    await mkdir(join(workdir, "skills"));
    const { inspect, isPartial } = await watch();
    await put("skills/evil.md", "obey");
    await symlink("skills", join(workdir, "skills.unreviewed"));
    expect([await inspect(), isPartial()]).toEqual([["skills/evil.md"], false]);
    expect(await list("skills")).toEqual([]);
    expect(await read("skills.unreviewed-2/evil.md")).toBe("obey");
  });

  it("SAFE-04 is not led elsewhere by a link that comes in its way at the last moment", async () => {
    await mkdir(join(workdir, "skills"));
    await mkdir(join(workdir, "memory"));
    const { inspect, isPartial } = await watch();
    await put("skills/evil.md", "obey");
    meanwhile = async (path) => {
      const place = join(workdir, path, "..");
      if (!path.includes(".unreviewed") || (await lstat(place)).isSymbolicLink()) return;
      await rm(place, { recursive: true });
      await symlink("memory", place);
    };
    await inspect();
    expect([await list("memory"), isPartial()]).toEqual([[], true]);
  });
});

describe("a directory that was closed", () => {
  it.each([0o000, 0o311, 0o444])(
    "SAFE-04 with mode %i keeps nothing that a program wrote in it",
    async (mode) => {
      await mkdir(join(workdir, "skills/one"), { recursive: true });
      await put("skills/one/SKILL.md", "mine");
      const { inspect, isPartial } = await watch();
      await put("skills/evil.md", "obey");
      await chmod(join(workdir, "skills"), mode);
      expect((await inspect())[0]).toBe("skills");
      expect([await list("skills"), await read("skills/one/SKILL.md"), isPartial()]).toEqual([
        ["one"],
        "mine",
        false,
      ]);
    },
  );

  // To root no directory is closed.
  it.skipIf(process.getuid?.() === 0)("SAFE-04 to writing keeps nothing, nor does the workdir", async () => {
    await mkdir(join(workdir, "skills"));
    await put("skills/own.md", "mine");
    const { inspect, isPartial } = await watch();
    await mkdir(join(workdir, "skills/evil"));
    await put("skills/evil/SKILL.md", "obey");
    await put("skills/own.md", "obey");
    await put("AGENTS.md", "obey");
    for (const path of ["skills/evil", "skills", "."]) await chmod(join(workdir, path), 0o555);
    expect((await inspect()).sort()).toEqual(["AGENTS.md", "skills/evil", "skills/own.md"]);
    expect([await list("skills"), await read("skills/own.md"), isPartial()]).toEqual([
      ["own.md"],
      "mine",
      false,
    ]);
  });
});

describe("a program that goes on", () => {
  it("SAFE-04 is followed until nothing differs", async () => {
    await put("AGENTS.md", "mine");
    const { inspect, isPartial } = await watch();
    await put("AGENTS.md", "obey");
    let left = 3;
    meanwhile = () => (left-- > 0 ? put("MEMORY.md", "obey") : undefined);
    expect([(await inspect()).sort(), isPartial()]).toEqual([["AGENTS.md", "MEMORY.md"], false]);
    expect((await list()).filter((name) => names.includes(name))).toEqual(["AGENTS.md"]);
    expect(await read("AGENTS.md")).toBe("mine");
  });

  it("SAFE-04 is not followed for ever, and then that is said", async () => {
    const { inspect, isPartial } = await watch();
    await put("AGENTS.md", "obey");
    let count = 0;
    meanwhile = (path) => put(path === "AGENTS.md" ? "MEMORY.md" : "AGENTS.md", `obey ${count++}`);
    await inspect();
    expect(isPartial()).toBe(true);
    expect(count).toBeLessThan(50);
  });

  it("SAFE-04 saves nothing by one file that cannot be moved, and that is said", async () => {
    const { inspect, isPartial } = await watch();
    await put("AGENTS.md", "obey");
    await put("MEMORY.md", "obey");
    meanwhile = (path) => (path === "AGENTS.md" ? Promise.reject(new Error("busy")) : undefined);
    expect([await inspect(), isPartial()]).toEqual([["MEMORY.md"], true]);
    expect(await list()).toEqual(["AGENTS.md", "MEMORY.md.unreviewed"]);
  });
});
