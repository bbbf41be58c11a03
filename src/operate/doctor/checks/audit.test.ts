import { afterEach, beforeEach, expect, it } from "vitest";
import { DatabaseSync } from "node:sqlite";
import { createTestHome, findingsOf, type TestHome } from "../testing/test-home.ts";
import { checkAudit } from "./audit.ts";

let home: TestHome;
beforeEach(async () => {
  home = await createTestHome();
});
afterEach(() => home.remove());
const findings = () => findingsOf(checkAudit(home.examined, new AbortController().signal));

it("TEN-05 is content where nothing was recorded, and makes no key by looking", async () => {
  expect(await findings()).toEqual(["ok Nothing was recorded yet."]);
  await home.talk("agent:main:main", "hello");
  expect(await findings()).toEqual(["ok Nothing was recorded yet."]);
});

it("TEN-05 tells of a log that somebody changed", async () => {
  await home.examined.secrets.derive("audit log", "make");
  const { sessionId } = await home.talk("agent:main:main", "hello");
  await home.talk("agent:main:other", "hello");
  const { tenant } = await home.examined.makeDatabase();
  await tenant.sessions.delete(sessionId, "owner");
  await home.examined.closeDatabase();
  expect(await findings()).toEqual(["ok The audit log is intact: 1 records up to 1, anchored up to 0."]);
  await home.examined.closeDatabase();
  const database = new DatabaseSync(home.path("core.db"));
  database.exec("UPDATE audit_logs SET actor = 'nobody'");
  database.close();
  expect(await findings()).toEqual(["problem record 1 was changed"]);
});
