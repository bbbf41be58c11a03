import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasProgram } from "../../../scripts/system-programs.ts";
import { change } from "./database.ts";
import { findLostLog, openMarkOf } from "./lost-log.ts";
import { openSqliteDatabase, type SqliteDatabase } from "./sqlite-database.ts";

let directory: string;
let file: string;
let opened: SqliteDatabase[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-log-"));
  file = join(directory, "core.db");
  opened = [];
});
afterEach(async () => {
  for (const database of opened) await database.close();
  rmSync(directory, { recursive: true });
});

async function open(path = file): Promise<SqliteDatabase> {
  const database = await openSqliteDatabase({ file: path, clock: createHandClock() });
  opened.push(database);
  return database;
}

/** Several commits, each with a few pages in the log. */
async function fill(database: SqliteDatabase): Promise<void> {
  await database.write(
    function* () {
      yield* change("CREATE TABLE words (word TEXT)");
    },
    { sync: "always" },
  );
  for (let number = 0; number < 5; number++)
    await database.write(
      function* () {
        yield* change("INSERT INTO words VALUES (?)", [`${number}`.repeat(1500)]);
      },
      { sync: "always" },
    );
}

/** The files as a kill leaves them. */
async function killed(): Promise<string> {
  await fill(await open());
  const left = join(directory, "left");
  for (const end of ["", "-wal", "-open"]) cpSync(`${file}${end}`, join(left, `core.db${end}`));
  return join(left, "core.db");
}

const frame = 24 + 1024;

function scribble(log: string, at: number): void {
  const bytes = readFileSync(log);
  bytes.fill(0x5a, at, at + 100);
  writeFileSync(log, bytes);
}

describe("the log of a database that was not closed", () => {
  it("is whole: nothing is noticed, and what was written is there", async () => {
    const left = await killed();
    expect(findLostLog(left)).toBeUndefined();
    expect((await open(left)).lostLog).toBeUndefined();
  });

  it("is noticed when it is gone", async () => {
    const left = await killed();
    rmSync(`${left}-wal`);
    expect((await open(left)).lostLog).toBe("gone");
  });

  it("is noticed when a page of it is damaged and a commit follows, wherever it lies", async () => {
    const left = await killed();
    const log = `${left}-wal`;
    const whole = readFileSync(log);
    const frames = Math.floor((whole.length - 32) / frame);
    expect(frames).toBeGreaterThan(8);
    for (let place = 0; place < frames - 1; place++) {
      writeFileSync(log, whole);
      scribble(log, 32 + place * frame + 24);
      expect(findLostLog(left), `frame ${place}`).toBe("damaged");
    }
    scribble(log, 0);
    expect(findLostLog(left)).toBe("damaged");
  });

  it("is not accused of an end that a kill cut off", async () => {
    const left = await killed();
    const log = `${left}-wal`;
    const whole = readFileSync(log);
    for (const missing of [1, 500, frame, frame + 10]) {
      truncateSync(log, whole.length - missing);
      expect(findLostLog(left)).toBeUndefined();
    }
    truncateSync(log);
    expect(findLostLog(left)).toBeUndefined();
  });

  it("is not accused of what a transaction left behind that a kill cut off at its commit, before a shorter one", async () => {
    const left = await killed();
    const words = (count: number) => (database: SqliteDatabase) =>
      database.write(
        function* () {
          for (let number = 0; number < count; number++)
            yield* change("INSERT INTO words VALUES (?)", [`${number}`.repeat(1500)]);
        },
        { sync: "always" },
      );
    const log = (path: string) => `${path}-wal`;
    /** What is written to a copy, as a kill leaves it. */
    async function goOn(from: string, name: string, count: number): Promise<string> {
      const [path, to] = ["open", "killed"].map((end) => join(directory, `${name}-${end}`, "core.db"));
      if (path === undefined || to === undefined) throw new Error("no place");
      for (const end of ["", "-wal", "-open"]) cpSync(`${from}${end}`, `${path}${end}`);
      await words(count)(await open(path));
      for (const end of ["", "-wal", "-open"]) cpSync(`${path}${end}`, `${to}${end}`);
      return to;
    }
    const long = await goOn(left, "long", 6);
    const whole = readFileSync(log(long));
    for (const spoil of [
      () => truncateSync(log(long), whole.length - 1024),
      () => writeFileSync(log(long), whole.fill(0, whole.length - 1024)),
    ]) {
      spoil();
      const short = await goOn(long, `short-${spoil.toString().length}`, 1);
      expect(readFileSync(log(short)).length).toBeGreaterThan(whole.length - frame);
      expect(findLostLog(short)).toBeUndefined();
    }
  });

  it("may have lost what was never synced when the machine has been started anew", async () => {
    const left = await killed();
    scribble(`${left}-wal`, 32 + 24);
    expect(findLostLog(left, "another start")).toBeUndefined();
  });
});

describe("the mark", () => {
  it("goes with a clean close, unless somebody else has the database open", async () => {
    const [one, other] = [await open(), await open()];
    await fill(one);
    await one.close();
    expect(existsSync(openMarkOf(file))).toBe(true);
    await other.close();
    expect(existsSync(openMarkOf(file))).toBe(false);
    expect((await open()).lostLog).toBeUndefined();
  });

  it.skipIf(!hasProgram("strace"))("is not left without its log by an opening that failed", async () => {
    const left = await killed();
    const [sqlite, clock] = ["sqlite-database.ts", "../../infra/clock.ts"].map((name) =>
      JSON.stringify(new URL(name, import.meta.url).href),
    );
    const open = `
      const { openSqliteDatabase } = await import(${sqlite});
      const { systemClock: clock } = await import(${clock});
      await openSqliteDatabase({ file: process.argv[1], clock }).then((database) => database.close(), (error) => console.log(error.code));
    `;
    const said: string[] = [];
    for (let when = 1; when <= 2; when++) {
      const file = join(directory, `failing-${when}`, "core.db");
      for (const end of ["", "-wal", "-open"]) cpSync(`${left}${end}`, `${file}${end}`);
      const trace = ["-f", "-qq", "-o", "/dev/null", "-P", `${file}-shm`, "-e", "trace=pwrite64"];
      const inject = ["-e", `inject=pwrite64:error=EIO:when=${when}`];
      const node = [process.execPath, "--input-type=module", "-e", open, file];
      said.push(spawnSync("strace", [...trace, ...inject, ...node], { encoding: "utf8" }).stdout.trim());
      expect(findLostLog(file), `at write ${when}`).toBeUndefined();
    }
    expect(said).toContain("storage/unavailable");
  });

  it("stays where the log was lost and nobody could note it", async () => {
    const left = await killed();
    rmSync(`${left}-wal`);
    const database = await open(left);
    await database.close({ isLossUnnoted: true });
    expect((await open(left)).lostLog).toBe("gone");
  });
});
