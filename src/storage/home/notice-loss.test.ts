import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { locateHome } from "../../config/home.ts";
import type { HoldWork } from "../inbox/backlogs.ts";
import { noticeLoss } from "./notice-loss.ts";
import { openRecovery } from "./recovery.ts";

let root: string;
let held: HoldWork[];
const clock = createHandClock();
const home = () => locateHome({ PINCER_HOME: root });
const recovery = () => openRecovery(home().recoveryFile);
const stores = {
  backlogs: {
    hold: async (work: HoldWork) => {
      held.push(work);
      return { turns: 1, sends: 0 };
    },
  },
} as unknown as Parameters<Awaited<ReturnType<typeof noticeLoss>>["hold"]>[0];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pincer-loss-"));
  mkdirSync(root, { recursive: true });
  held = [];
});
afterEach(() => rmSync(root, { recursive: true }));

it("says nothing of a home that is new, and nothing of one that has everything", async () => {
  const fresh = await noticeLoss(home(), clock);
  expect(fresh.isNew).toBe(true);
  writeFileSync(home().coreDb, "x");
  const whole = await noticeLoss(home(), clock);
  await whole.hold(stores);
  expect([whole.isNew, recovery().isOpen(), held]).toEqual([false, false, []]);
});

it("notes a database that is gone or empty although the copy of its policy is there, before anything is made", async () => {
  writeFileSync(home().policyCopyFile, "");
  writeFileSync(home().coreDb, "");
  const loss = await noticeLoss(home(), clock);
  expect(recovery().read()).toMatchObject({ lost: "database" });
  await loss.hold(stores);
  expect(held).toEqual([]);
});

it("notes a lost log, and holds what the older state would do again, also when a crash came in between", async () => {
  writeFileSync(home().coreDb, "x");
  (await noticeLoss(home(), clock)).onLogLost("gone");
  expect(recovery().read()).toMatchObject({ lost: "log" });
  const next = await noticeLoss(home(), clock);
  await next.hold(stores);
  expect(held).toMatchObject([{ which: "all", notice: "notice.held-loss" }]);
  await next.hold(stores);
  expect(held).toHaveLength(1);
  expect(recovery().isOpen()).toBe(true);
});

it("holds where more than one change of the policy is missing, and takes one alone for a crash", async () => {
  writeFileSync(home().coreDb, "x");
  const loss = await noticeLoss(home(), clock);
  const back = { rows: { standing_rules: 1 }, isNew: false };
  loss.onPolicyBack({ ...back, changes: 1 });
  expect(recovery().isOpen()).toBe(false);
  loss.onPolicyBack({ ...back, changes: 2 });
  await loss.hold(stores);
  expect(recovery().read()).toMatchObject({ lost: "changes", rows: back.rows });
  expect(held).toHaveLength(1);
});
