import { statSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { systemClock } from "../infra/clock.ts";
import { createIds } from "../infra/ids.ts";
import { openSqliteStores } from "./open-sqlite-stores.ts";
import { request } from "./testing/samples.ts";

it("keeps the log within 40 MB through 100,000 small writes, one after the other and side by side", async () => {
  const directory = await mkdtemp(join(tmpdir(), "pincer-log-"));
  const file = join(directory, "core.db");
  const stores = await openSqliteStores({ file, clock: systemClock, ids: createIds() });
  try {
    const { sessions } = stores.tenant("acme");
    const { session } = await sessions.open(request("main"));
    const tokens = { input: 1, output: 1, context: 1, total: 2 };
    let largest = 0;
    const look = () => (largest = Math.max(largest, statSync(`${file}-wal`).size));
    for (let written = 0; written < 50_000; written++) {
      await sessions.addTokens(session.sessionId, tokens);
      if (written % 100 === 0) look();
    }
    for (let written = 0; written < 50_000; written += 100) {
      await Promise.all(Array.from({ length: 100 }, () => sessions.addTokens(session.sessionId, tokens)));
      look();
    }
    expect(largest).toBeLessThan(40 * 1024 * 1024);
    expect((await sessions.get(session.sessionId))?.tokens.input).toBe(100_000);
    expect(await stores.health("full")).toMatchObject({ ok: true, problems: [] });
  } finally {
    await stores.close();
    await rm(directory, { recursive: true, force: true });
  }
}, 120_000);
