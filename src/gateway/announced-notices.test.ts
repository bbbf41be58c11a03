import { createHandClock } from "@pincer/sdk/testing";
import { expect, it } from "vitest";
import { createIds } from "../infra/ids.ts";
import { createAuditSeal } from "../storage/audit/audit-seal.ts";
import { createMemoryStores } from "../storage/memory-stores.ts";
import { announcedNotices } from "./announced-notices.ts";

it("UI-01 tells of a notice that comes, changes or goes, and of nothing else", async () => {
  const clock = createHandClock();
  const ids = createIds(() => clock.now());
  const stores = createMemoryStores({ clock, ids, seal: createAuditSeal(Buffer.alloc(32, 7)) });
  let told = 0;
  const notices = announcedNotices(stores.tenant("t").notices, () => (told += 1));
  const draft = { kind: "pairing", subject: "pairing:x", text: { key: "k", parameters: {} } };
  await notices.add(draft);
  expect(told).toBe(1);
  await notices.add(draft);
  expect(told).toBe(1);
  await notices.add({ ...draft, replaces: true });
  expect(told).toBe(2);
  await notices.dismiss("pairing:x");
  expect(told).toBe(3);
  await notices.dismiss("pairing:x");
  expect(told).toBe(3);
  expect(await notices.list({ limit: 5 })).toEqual([]);
});
