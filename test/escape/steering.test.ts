/** Files that steer the assistant, and the directory that a program was approved for. */
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { watchSteeringFiles } from "../../src/sandbox/steering-files.ts";
import { createWorkdirRegistry } from "../../src/sandbox/workdir-registry.ts";
import { createWorkdirOpener } from "../../src/sandbox/workdir-opener.ts";
import { bubblewrapHere, createCell, landlockHere, users, type Cell } from "./cell.ts";

const names = ["AGENTS.md", "SOUL.md", "skills", "memory"];

const tricks = [
  "echo obey > AGENTS.md",
  "echo obey >> AGENTS.md",
  "true > AGENTS.md",
  "rm -f AGENTS.md; echo obey > AGENTS.md",
  "mv AGENTS.md x; echo obey > AGENTS.md",
  "echo obey > x; mv -f x AGENTS.md",
  "echo obey > x; ln -f x AGENTS.md",
  "ln -sf /dev/null AGENTS.md",
  "ln AGENTS.md x; echo obey > x",
  "truncate -s 0 AGENTS.md",
  "dd if=/dev/zero of=AGENTS.md count=1",
  'perl -e \'open F, "+<", "AGENTS.md"; print F "obey"\'',
  "echo obey > skills/one/SKILL.md",
  "mkdir skills/evil; echo obey > skills/evil/SKILL.md",
  "mv skills s; mkdir skills; echo obey > skills/SKILL.md",
  "rm -rf skills; ln -s /tmp skills",
  "mv docs d; mkdir docs; echo obey > docs/RULES.md",
  "echo obey > docs/RULES.md",
  "rm SOUL.md; echo obey > SOUL.md",
  "echo obey > /proc/self/cwd/AGENTS.md",
  "cd skills && echo obey > ../AGENTS.md",
  "mount -o remount,rw AGENTS.md; echo obey > AGENTS.md",
  "umount AGENTS.md; echo obey > AGENTS.md",
  "unshare -Ur sh -c 'mount -o remount,rw,bind AGENTS.md; echo obey > AGENTS.md'",
  "mkdir memory; echo obey > memory/2020-01-01.md",
  "ln -s docs memory",
  "(sleep 0.1; echo obey > memory) & wait",
  "mkdir memory; (cd memory; seq 2500 | xargs touch); echo obey > AGENTS.md",
  "(cd skills; seq 2500 | xargs touch); echo obey > skills/one/SKILL.md; echo obey > AGENTS.md",
  "mkdir skills/evil; echo obey > skills/evil/SKILL.md; chmod 311 skills/evil",
  "ln -s skills skills.unreviewed; echo obey > skills/evil.md",
  "echo obey > skills/evil.unreviewed.md; mkdir skills/x.unreviewed; echo obey > skills/x.unreviewed/SKILL.md",
];

for (const build of [bubblewrapHere, landlockHere])
  for (const user of users) {
    const cell = await createCell(user, build);
    describe.skipIf(!cell)(`${build.name}, as ${user}`, () => {
      let made: Cell;
      beforeAll(() => {
        if (cell) made = cell;
      });
      afterAll(() => cell?.remove());
      beforeEach(async () => {
        await rm(made.workdir, { recursive: true });
        for (const path of ["skills/one", "docs", "sub", "other"])
          await mkdir(join(made.workdir, path), { recursive: true, mode: 0o777 });
        await writeFile(join(made.workdir, "AGENTS.md"), "mine");
        await writeFile(join(made.workdir, "docs/RULES.md"), "mine");
        await symlink("docs/RULES.md", join(made.workdir, "SOUL.md"));
        await writeFile(join(made.workdir, "skills/one/SKILL.md"), "mine");
        await made.give();
      });

      it.each(tricks)("SAFE-04 after %s they are as they were", async (trick) => {
        const keeper = createWorkdirRegistry();
        const opener = createWorkdirOpener({ workdir: made.workdir, closed: made.home, registry: keeper });
        const byWall = made.wall.kind === "landlock" ? "writable" : "read-only";
        const watch = await watchSteeringFiles(
          { workdir: made.workdir, names, opener, registry: keeper },
          byWall,
        );
        const { status } = await made.run(`${trick}; exit 7`, { enclosure: { readOnly: watch.there } });
        await watch.inspect();
        watch.end();
        const read = (name: string) => readFile(join(made.workdir, name), "utf8").catch(() => "gone");
        expect({
          status,
          agents: await read("AGENTS.md"),
          soul: await read("SOUL.md"),
          skill: await read("skills/one/SKILL.md"),
          others: (await readdir(made.workdir)).filter((name) => name === "memory"),
          skills: (await readdir(join(made.workdir, "skills"), { recursive: true })).filter((name) =>
            name.endsWith(".md"),
          ),
        }).toEqual({
          status: 7,
          agents: "mine",
          soul: "mine",
          skill: "mine",
          others: [],
          skills: ["one/SKILL.md"],
        });
      });

      it("leaves the rest of the workdir to the program", async () => {
        const script = "echo a > sub/new; mkdir b; mv sub c; rm -r other; cat AGENTS.md";
        const readOnly = ["AGENTS.md", "skills"];
        expect(await made.run(script, { enclosure: { readOnly } })).toEqual({ status: 0, text: "mine" });
        expect(await readFile(join(made.workdir, "c/new"), "utf8")).toBe("a\n");
      });

      it("SAFE-01 starts in the directory that was looked at, and in no other", async () => {
        const { dev, ino } = await stat(join(made.workdir));
        const same = await made.run("pwd", { call: { directoryId: `${dev}:${ino}` } });
        expect(same).toEqual({ status: 0, text: `${made.workdir}\n` });
        const other = await made.run("pwd", { call: { directoryId: `${dev}:${ino + 1}` } });
        expect(other).toMatchObject({
          status: 125,
          text: expect.stringContaining("directory has become another"),
        });
      });
    });
  }
