import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { damageHome, loseDatabase } from "./damage-home.ts";
import { createRandom } from "./random.ts";

let home: string;
let connection: DatabaseSync;
const file = (end = "") => join(home, `core.db${end}`);
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "pincer-damage-"));
  connection = new DatabaseSync(file());
  connection.exec("PRAGMA journal_mode = WAL; CREATE TABLE words (word TEXT)");
  for (let number = 0; number < 20; number++)
    connection.prepare("INSERT INTO words VALUES (?)").run(`${number}`.repeat(2000));
});
afterEach(() => {
  connection.close();
  rmSync(home, { recursive: true });
});

/** How many bytes differ, in how many pieces as long as a page. */
function changed(before: Buffer, after: Buffer): number[] {
  return [...before.keys()].filter((at) => before[at] !== after[at]);
}

it("writes noise over one page of the database, which the log does not hide", () => {
  connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const before = readFileSync(file());
  expect(damageHome(home, "page", createRandom(1))).toBe(true);
  const places = changed(before, readFileSync(file()));
  expect(places.length).toBeGreaterThan(1000);
  expect(new Set(places.map((at) => Math.floor(at / 4096))).size).toBe(1);
});

it("writes noise over a page of the log, and not over its last one", () => {
  const before = readFileSync(file("-wal"));
  for (let seed = 0; seed < 30; seed++) {
    expect(damageHome(home, "log", createRandom(seed))).toBe(true);
    const places = changed(before, readFileSync(file("-wal")));
    expect(places.at(-1)).toBeLessThan(before.length - 4096);
  }
});

it("has nothing to damage where there is no log", () => {
  connection.close();
  expect(damageHome(home, "log", createRandom(1))).toBe(false);
  connection = new DatabaseSync(file());
});

it("takes the database away, empties it, or takes only its log", () => {
  loseDatabase(home, "log", createRandom(1));
  expect([existsSync(file()), existsSync(file("-wal"))]).toEqual([true, false]);
  loseDatabase(home, "truncated", createRandom(1));
  expect(statSync(file()).size).toBe(0);
  loseDatabase(home, "deleted", createRandom(1));
  expect(existsSync(file())).toBe(false);
});
