/** Puts the same tests around a wall for everyone that the suite can run as. */
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Machine } from "../../src/sandbox/walls/machine.ts";
import type { Wall, WallKind } from "../../src/sandbox/walls/wall.ts";
import {
  becomes,
  createCell,
  endAllWith,
  processesWith,
  users,
  wordsOfAll,
  type Cell,
  type User,
} from "./cell.ts";
import { expectKept, removeLitter } from "./expect-kept.ts";
import type { Trick } from "./tricks.ts";

export interface Trial {
  kind: WallKind;
  /** How the tests begin: the row that they prove. */
  row: string;
  /** Undefined where it does not stand here: the tests are skipped then. */
  build: (machine: Machine, trial: string) => Promise<Wall | undefined>;
  tricks: readonly Trick[];
  /** More than tricks, for one who is in there. */
  more?: (cell: Cell, user: User) => void;
}

export async function tryTricks({ kind, row, build, tricks, more }: Trial): Promise<void> {
  for (const user of users) {
    const found = await createCell(user, build);
    describe.skipIf(found === undefined)(`${row} a program in ${kind}, as ${user},`, () => {
      const cell = found as Cell;
      beforeAll(() => {
        process.env["PINCER_TEST_SECRET"] = cell.canary;
      });
      beforeEach(async () => {
        const left = await readdir(cell.workdir);
        await Promise.all(left.map((name) => rm(join(cell.workdir, name), { recursive: true })));
      });
      afterAll(async () => {
        removeLitter();
        await cell.remove();
      });

      it.each(tricks.filter(({ walls }) => walls === undefined || walls.includes(kind)))(
        "never gets out: $name",
        async ({ script }) => {
          await expectKept(cell, script);
        },
      );
      it("has the environment that it was given, and no more than a shell and its wall add", async () => {
        const environment = { SOME_TOKEN: "two words\nand a line", LANG: "xx_XX.UTF-8" };
        const { text } = await cell.run(
          `printf '%s|%s|%s\\n' "$SOME_TOKEN" "$LANG" "$PWD"; env -0 | cut -z -d= -f1 | tr "\\0" "\\n"`,
          { environment },
        );
        const [first, second, ...names] = text.trim().split("\n");
        expect([first, second]).toEqual(["two words", `and a line|xx_XX.UTF-8|${cell.workdir}`]);
        const given = [...Object.keys(cell.call("").environment), ...Object.keys(environment)];
        const added = ["PWD", "OLDPWD", "SHLVL", "_", "TMPDIR", "TMP", "TEMP"];
        expect(names.filter((name) => !given.includes(name) && !added.includes(name))).toEqual([]);
      });

      it("shows no value of its environment to other users of the machine", async () => {
        const [value, word] = [`told-${Date.now()}`, `4021.${Date.now() % 1_000_000}`];
        const child = cell.start(`sleep ${word}; :`, { environment: { SOME_TOKEN: value } });
        const runs = await becomes(async () => (await processesWith(word)).length > 0);
        const all = await wordsOfAll();
        await endAllWith([word]);
        await becomes(async () => child.exitCode !== null);
        expect(runs).toBe(true);
        expect(all.filter((line) => line.includes(value))).toEqual([]);
      });
      if (found) more?.(cell, user);
    });
  }
}
