import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { afterEach, beforeEach, expect, it } from "vitest";
import { locateHome } from "../../config/home.ts";
import type { AuditAnchors } from "../audit/audit-anchors.ts";
import type { HoldWork } from "../inbox/backlogs.ts";
import { noticeLoss, type LossNotice } from "./notice-loss.ts";
import { writeWhole } from "../policy-copy/policy-file.ts";
import { openRecovery } from "./recovery.ts";

let root: string;
let held: HoldWork[];
let lostUntil: number[];
/** Where the audit log of the database ends. */
let seq: number;
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
  audit: { head: async () => ({ seq }) },
  gate: { noteLoss: async (at: number) => void lostUntil.push(at) },
} as unknown as Parameters<LossNotice["compare"]>[0];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "pincer-loss-"));
  mkdirSync(root, { recursive: true });
  held = [];
  lostUntil = [];
  seq = 0;
});
afterEach(() => rmSync(root, { recursive: true }));

const anchorsAt = (last: number) => {
  const forgotten: number[] = [];
  const anchors = {
    last: async () => ({ seq: last }),
    forgetAfter: async (after: number) => void forgotten.push(after),
  } as unknown as AuditAnchors;
  return { anchors, forgotten };
};

it("says nothing of a home that is new, and nothing of one that has everything", async () => {
  const fresh = noticeLoss(home(), clock);
  await fresh.onNew();
  await fresh.compare(stores, undefined);
  expect([fresh.isNew(), recovery().isOpen()]).toEqual([true, false]);
  seq = 7;
  const whole = noticeLoss(home(), clock);
  await whole.compare(stores, anchorsAt(7).anchors);
  expect([whole.isNew(), recovery().isOpen(), held, lostUntil]).toEqual([false, false, [], []]);
});

it.each(["policyCopyFile", "auditAnchorsFile"] as const)(
  "notes that a database without a schema was another one before, by its %s",
  async (left) => {
    mkdirSync(dirname(home()[left]), { recursive: true });
    writeFileSync(home()[left], "");
    if (left === "policyCopyFile") writeWhole(home()[left], { number: 1, rows: new Map() });
    const loss = noticeLoss(home(), clock);
    await loss.onNew();
    const isInDoubt = left !== "policyCopyFile";
    expect(recovery().read()).toMatchObject({ lost: "database", isInDoubt });
    await loss.compare(stores, undefined);
    expect(held).toEqual([]);
    expect(lostUntil).toEqual([clock.now()]);
  },
);

it("notes a lost log, and holds what the older state would do again, also when a crash came in between", async () => {
  writeWhole(home().policyCopyFile, { number: 1, rows: new Map() });
  noticeLoss(home(), clock).onLogLost();
  expect(recovery().read()).toMatchObject({ lost: "log", isToComplete: true, isInDoubt: false });
  const next = noticeLoss(home(), clock);
  await next.compare(stores, undefined);
  expect(held).toMatchObject([{ which: "all", notice: "notice.held-loss" }]);
  await next.compare(stores, undefined);
  expect(held).toHaveLength(1);
  expect(recovery().isOpen()).toBe(true);
});

it("notes an audit log that ends before its anchors, once", async () => {
  seq = 5;
  const { anchors, forgotten } = anchorsAt(9);
  await noticeLoss(home(), clock).compare(stores, anchors);
  expect(recovery().read()).toMatchObject({ lost: "changes", isInDoubt: true });
  expect([forgotten, held.length]).toEqual([[5], 1]);
});

it("holds where more than one change of the policy is missing, and takes one alone for a crash", async () => {
  const loss = noticeLoss(home(), clock);
  const back = { rows: { standing_rules: 1 }, isNew: false, unreadable: 0 };
  loss.onPolicyBack({ ...back, changes: 1 });
  expect(recovery().isOpen()).toBe(false);
  loss.onPolicyBack({ ...back, changes: 2 });
  await loss.compare(stores, undefined);
  expect(recovery().read()).toMatchObject({ lost: "changes", rows: back.rows, isInDoubt: false });
  expect(held).toHaveLength(1);
  loss.onPolicyBack({ ...back, changes: 1, unreadable: 1 });
  expect(recovery().read()).toMatchObject({ isInDoubt: true });
});

it.each(["", "garbage\n", "half a line"])("takes a copy of %j for none at all", async (content) => {
  writeFileSync(home().policyCopyFile, content);
  const loss = noticeLoss(home(), clock);
  await loss.onNew();
  expect(recovery().read()).toMatchObject({ lost: "database", isInDoubt: true });
  loss.onLogLost();
  expect(recovery().read()).toMatchObject({ isInDoubt: true });
});
