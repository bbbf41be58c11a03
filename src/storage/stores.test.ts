import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createMemoryStores } from "./memory-stores.ts";
import { openSqliteStores } from "./open-sqlite-stores.ts";
import { describeStoreContract } from "./testing/store-contract.ts";

let directory: string;
let made = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-stores-"));
});
afterAll(() => rm(directory, { recursive: true }));

describeStoreContract("SQLite", (parts) =>
  openSqliteStores({ ...parts, file: join(directory, `${made++}`, "core.db") }),
);
describeStoreContract("memory", async (parts) => createMemoryStores(parts));
