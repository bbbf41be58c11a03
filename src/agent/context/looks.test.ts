import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWorkdirFiles } from "../../sandbox/workdir-files.ts";
import { createLooks, systemLookDisk } from "./looks.ts";
import { createCoarseDisk } from "./testing/coarse-disk.ts";

const wanted = ["AGENTS.md", "SOUL.md", "memory/1.md", "memory/x/1.md", ".agent/skills"];

function stage(options?: Parameters<typeof createCoarseDisk>[0]) {
  const { clock, disk, ...files } = createCoarseDisk(options);
  const begin = createLooks({ files, clock, disk });
  const look = () => {
    const at = begin();
    return wanted.map((path) => at(path));
  };
  /** Looks until nothing can be learned any more. */
  const settle = async () => {
    for (let times = 0; times < 2; times++) {
      look();
      await clock.advance(2000);
    }
    look();
    files.stamped();
  };
  const plain = () => wanted.map((path) => files.stamp(path));
  return { ...files, clock, look, settle, plain };
}

describe("CTX-10 a look at files", () => {
  it("costs one look at a directory that has not changed, however many names are missing in it", async () => {
    const { look, settle, stamped } = stage();
    await settle();
    expect(look()).toEqual(wanted.map(() => ""));
    expect(stamped()).toEqual(["."]);
  });

  it("costs one for each directory that is there, and one for each file", async () => {
    const { look, settle, stamped, makeDirectory, write } = stage();
    makeDirectory("memory");
    write("memory/1.md");
    write("AGENTS.md");
    await settle();
    expect(look().map((stamp) => stamp !== "")).toEqual([true, false, true, false, false]);
    expect(stamped().toSorted()).toEqual([".", "AGENTS.md", "memory", "memory/1.md"]);
  });

  it("finds what has come, the very next time", async () => {
    const { look, settle, plain, write } = stage();
    await settle();
    write("SOUL.md");
    expect(look()).toEqual(plain());
    expect(look()[1]).not.toBe("");
  });

  it("finds what has come within the tick in which it was looked for", async () => {
    const { clock, look, plain, write } = stage();
    await clock.advance(5000);
    write("other.txt");
    for (let times = 0; times < 3; times++) look();
    write("AGENTS.md");
    expect(look()).toEqual(plain());
    expect(look()[0]).not.toBe("");
  });

  it("finds what has come at the end of the longest tick", async () => {
    const { clock, look, plain, write } = stage();
    await clock.advance(2000 - (clock.now() % 2000));
    write("other.txt");
    look();
    await clock.advance(1999);
    look();
    write("AGENTS.md");
    expect(look()).toEqual(plain());
    expect(look()[0]).not.toBe("");
  });

  it("finds what comes to where a link leads that led nowhere", async () => {
    const { look, settle, plain, link, makeDirectory, write } = stage();
    makeDirectory("elsewhere");
    link("AGENTS.md", "elsewhere/AGENTS.md");
    link("memory", "elsewhere/notes");
    await settle();
    await settle();
    write("elsewhere/AGENTS.md");
    makeDirectory("elsewhere/notes");
    write("elsewhere/notes/1.md");
    expect(look()).toEqual(plain());
    expect(look().map((stamp) => stamp !== "")).toEqual([true, false, true, false, false]);
  });

  it("finds what is in a directory that was put in the place of another", async () => {
    const { look, settle, plain, makeDirectory, write, move } = stage();
    for (const name of ["memory", "other"]) makeDirectory(name);
    write("other/1.md");
    await settle();
    move("memory", "before");
    move("other", "memory");
    expect(look()).toEqual(plain());
    expect(look()[2]).not.toBe("");
  });

  it("looks for every name where a file system does not keep the times of directories", async () => {
    const { look, settle, stamped } = stage({ keepsTimes: false });
    await settle();
    look();
    expect(stamped()).toEqual(expect.arrayContaining(wanted));
  });

  it("sees what a look at every file would see, whatever happens in between", async () => {
    const path = fc.constantFrom(
      ...wanted,
      "memory",
      "memory/x",
      ".agent",
      "other",
      "other/1.md",
      "note.txt",
    );
    const looks = fc.boolean();
    const step = fc.oneof(
      fc.record({ do: fc.constantFrom("write", "makeDirectory", "remove"), path, looks }),
      fc.record({ do: fc.constantFrom("link", "move"), path, to: path, looks }),
      fc.record({ ms: fc.constantFrom(0, 1, 300, 1000, 2000, 5000), looks }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 1000, 2000),
        fc.array(step, { minLength: 5, maxLength: 40 }),
        async (tickMs, steps) => {
          const { clock, look, plain, ...disk } = stage({ tickMs });
          const seen: Array<[string[], string[]]> = [];
          for (const each of steps) {
            if ("ms" in each) await clock.advance(each.ms);
            else if ("to" in each) disk[each.do as "link" | "move"](each.path, each.to);
            else disk[each.do as "write" | "makeDirectory" | "remove"](each.path);
            if (each.looks) seen.push([look(), plain()]);
          }
          seen.push([look(), plain()]);
          expect(seen.map(([looked]) => looked)).toEqual(seen.map(([, there]) => there));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("keeps no more than some names, whatever is asked for", async () => {
    const { clock, disk, ...files } = createCoarseDisk();
    const begin = createLooks({ files, clock, disk });
    begin()("x");
    await clock.advance(2000);
    for (let index = 0; index < 1000; index++) begin()(`${index}.md`);
    files.stamped();
    for (let index = 0; index < 1000; index++) begin()(`${index}.md`);
    expect(files.stamped().filter((path) => path !== ".").length).toBeGreaterThan(700);
  });
});

describe("CTX-10 a look at files of this machine", () => {
  it("sees them come, change, be replaced and go", async () => {
    const root = mkdtempSync(join(tmpdir(), "pincer-looks-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const workdir = join(root, "workdir");
    mkdirSync(workdir);
    const files = createWorkdirFiles({ workdir, closed: join(root, "home") });
    const clock = createHandClock();
    const begin = createLooks({ files, clock });
    const look = () => wanted.map((path) => begin()(path));
    const plain = () => wanted.map((path) => files.stamp(path));
    const at = (path: string) => join(workdir, path);
    /** The clock of the file system goes on in small steps: what changes from here on has another time than what is there. */
    const untilNextTick = () => {
      const touched = () => {
        writeFileSync(join(root, "tick"), "");
        return statSync(join(root, "tick"), { bigint: true }).ctimeNs;
      };
      const before = touched();
      while (touched() === before) continue;
    };
    const changes = [
      () => writeFileSync(at("AGENTS.md"), "one"),
      () => writeFileSync(at("AGENTS.md"), "another"),
      () => mkdirSync(at("memory/x"), { recursive: true }),
      () => writeFileSync(at("memory/x/1.md"), "note"),
      () => writeFileSync(at("new"), "third"),
      () => renameSync(at("new"), at("AGENTS.md")),
      () => symlinkSync(at("nowhere"), at("SOUL.md")),
      () => writeFileSync(at("nowhere"), "soul"),
      () => unlinkSync(at("nowhere")),
      () => rmSync(at("memory"), { recursive: true }),
      () => unlinkSync(at("AGENTS.md")),
    ];
    for (const change of changes) {
      expect(look()).toEqual(plain());
      await clock.advance(2000);
      expect(look()).toEqual(plain());
      untilNextTick();
      change();
      expect(look()).toEqual(plain());
    }
  });

  it("tells a directory from a link, and from nothing", () => {
    const root = mkdtempSync(join(tmpdir(), "pincer-looks-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    symlinkSync(root, join(root, "link"));
    symlinkSync(join(root, "nowhere"), join(root, "broken"));
    writeFileSync(join(root, "file"), "");
    const kinds = [".", "link", "broken", "file", "file/inside", "nothing", "no/thing"];
    expect(kinds.map((path) => systemLookDisk.kindOf(join(root, path)))).toEqual([
      "directory",
      "other",
      "other",
      "other",
      "other",
      "missing",
      "missing",
    ]);
    expect(systemLookDisk.keepsTimes(join(root, "nothing"))).toBe(false);
  });
});
