import { mkdtemp, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { backupSqlite } from "./sqlite-backup.ts";

let directory: string;
let from: string;
let to: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-copy-"));
  from = join(directory, "live.db");
  to = join(directory, "copies", "copy.db");
  const live = new DatabaseSync(from);
  live.exec("PRAGMA journal_mode = WAL; CREATE TABLE words (word TEXT)");
  const insert = live.prepare("INSERT INTO words VALUES (?)");
  for (let index = 0; index < 200; index++) insert.run(`${index} `.repeat(300));
  live.close();
});
afterEach(() => rm(directory, { recursive: true, force: true }));

it("is whole and on the disk before it gets its name, and the name is on the disk before it counts", async () => {
  const synced: string[] = [];
  await backupSqlite({
    from,
    to,
    sync: {
      async syncFile(file) {
        const copy = new DatabaseSync(file, { readOnly: true });
        const { count } = copy.prepare("SELECT count(*) AS count FROM words").get() ?? {};
        copy.close();
        synced.push(`${basename(file)} with ${String(count)}, ${(await stat(to)).size} bytes under its name`);
      },
      async syncDirectory(path) {
        synced.push(`${basename(path)} with ${(await readdir(path)).join()}`);
      },
    },
  });
  expect(synced).toEqual(["copy.db.partial with 200, 0 bytes under its name", "copies with copy.db"]);
});

it("gives no copy when it cannot be brought to the disk", async () => {
  const sync = {
    syncFile: () => Promise.reject(new Error("the disk is gone")),
    syncDirectory: async () => {},
  };
  await expect(backupSqlite({ from, to, sync })).rejects.toThrow("the disk is gone");
  expect(await readdir(join(directory, "copies"))).toEqual([]);
});

it("is one file that needs no log", async () => {
  await backupSqlite({ from, to });
  // Bytes 18 and 19 of the header say how it is written: 1 is without a log beside it, 2 is with one.
  expect((await readFile(to)).subarray(18, 20)).toEqual(Buffer.from([1, 1]));
});

it("refuses to pass on the damage of the database that was copied", async () => {
  const { size } = await stat(from);
  const file = await open(from, "r+");
  await file.write(Buffer.alloc(3 * 4096, 0xa5), 0, 3 * 4096, Math.floor(size / 4096 / 2) * 4096);
  await file.close();
  await expect(backupSqlite({ from, to })).rejects.toMatchObject({ code: "backup/invalid" });
  expect(await readdir(join(directory, "copies"))).toEqual([]);
});
