import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { createIds } from "../../infra/ids.ts";
import { openSqliteStores } from "../open-sqlite-stores.ts";
import { openMarkOf } from "../sqlite/lost-log.ts";

it("a log that was lost in the middle of a checkpoint may leave a head that is behind its rows: the log goes on after them", async () => {
  const directory = mkdtempSync(join(tmpdir(), "pincer-heads-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "core.db");
  const open = () => openSqliteStores({ file, clock: systemClock, ids: createIds() });
  const record = { actor: "owner", action: "set", resourceType: "config", resourceId: "port", metadata: {} };
  const first = await open();
  for (let at = 0; at < 3; at++) await first.tenant("acme").audit.record(record);
  await first.close();
  const raw = new DatabaseSync(file);
  raw.exec("UPDATE audit_heads SET seq = 1");
  raw.close();
  writeFileSync(openMarkOf(file), "an earlier start\n");
  const stores = await open();
  onTestFinished(() => stores.close());
  await stores.tenant("acme").audit.record(record);
  expect((await stores.tenant("acme").audit.head())?.seq).toBe(4);
});
