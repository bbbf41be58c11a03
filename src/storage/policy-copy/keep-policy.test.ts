import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHandClock } from "@pincer/sdk/testing";
import { array, assert, asyncProperty, boolean, nat, tuple } from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIds } from "../../infra/ids.ts";
import { openSqliteStores } from "../open-sqlite-stores.ts";
import type { Stores } from "../storage.ts";
import type { PolicyBack } from "./keep-policy.ts";
import { appendChanges, readPolicyFile } from "./policy-file.ts";

let directory: string;
let file: string;
let copy: string;
let stores: Stores | undefined;
let back: Array<PolicyBack & { isNew: boolean }>;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-policy-"));
  file = join(directory, "core.db");
  copy = join(directory, "policy-copy.jsonl");
  back = [];
});
afterEach(async () => {
  await stores?.close();
  stores = undefined;
  rmSync(directory, { recursive: true });
});

async function open() {
  await stores?.close();
  const clock = createHandClock();
  stores = await openSqliteStores({
    file,
    clock,
    ids: createIds(clock.now),
    policyCopy: copy,
    onPolicyBack: (each) => back.push(each),
  });
  return stores.tenant("acme");
}

const rule = (text: string) => ({ text, enforcement: null, agentId: null, setBy: "cli:owner" });
const textsOf = async (tenant: Awaited<ReturnType<typeof open>>) =>
  (await tenant.rules.list()).map(({ text }) => text);
const sender = (senderId: string) => ({ channel: "telegram", accountId: "bot", senderId });
const keysOf = (table: string) => (table === "rule_counters" ? ["tenant_id"] : ["tenant_id", "id"]);
const inCopy = (table: string) => readPolicyFile(copy, keysOf)?.rows.get(table) ?? [];

async function fill() {
  const tenant = await open();
  await tenant.rules.add(rule("never run commands"));
  await tenant.pairing.allow([{ ...sender("42"), by: "owner" }]);
  await tenant.access.put({
    kind: "token",
    role: "viewer",
    name: "script",
    scope: { type: "tenant" },
    secretDigest: "digest-of-the-token",
    way: "token",
    createdBy: "cli:owner",
    expiresAt: null,
  });
  return tenant;
}

describe("the copy of the policy", () => {
  it("brings rules, people and ways in back when the database is gone, and says so first", async () => {
    await fill();
    await stores?.close();
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${file}${suffix}`, { force: true });
    const tenant = await open();
    expect(back).toMatchObject([
      { isNew: true, changes: 3, rows: { standing_rules: 1, allowed_senders: 1 } },
    ]);
    expect(await textsOf(tenant)).toEqual(["never run commands"]);
    expect(await tenant.pairing.isAllowed(sender("42"))).toBe(true);
    expect((await tenant.access.list({})).map(({ name }) => name)).toEqual(["script"]);
    expect((await tenant.rules.add(rule("second"))).rule.id).toBe(2);
    await open();
    expect(back).toHaveLength(1);
  });

  it("brings back what a lost log had, and forgets what the log had removed", async () => {
    await fill();
    await stores?.close();
    copyFileSync(file, `${file}.old`);
    const tenant = await open();
    await tenant.rules.add(rule("after"));
    await tenant.pairing.revoke(sender("42"));
    await stores?.close();
    copyFileSync(`${file}.old`, file);
    const again = await open();
    expect(back).toMatchObject([{ isNew: false, changes: 2 }]);
    expect(await textsOf(again)).toEqual(["never run commands", "after"]);
    expect(await again.pairing.isAllowed(sender("42"))).toBe(false);
  });

  it("a change is in it before anybody hears that it was made", async () => {
    const tenant = await open();
    expect(existsSync(copy)).toBe(false);
    await tenant.rules.add(rule("first"));
    expect(inCopy("standing_rules")).toMatchObject([{ text: "first" }]);
    await tenant.rules.remove(1, "cli:owner");
    expect(inCopy("standing_rules")).toEqual([]);
    expect(statSync(copy).mode & 0o777).toBe(0o600);
  });

  it("a change that a crash cut off after the copy was written is done again", async () => {
    await fill();
    await stores?.close();
    const number = readPolicyFile(copy, keysOf)?.number ?? 0;
    const row = { ...inCopy("standing_rules")[0], id: 2, text: "in between" };
    const counter = { tenant_id: "acme", last_id: 2, version: 2 };
    appendChanges(copy, number + 1, [
      { type: "put", table: "standing_rules", row },
      { type: "remove", table: "rule_counters", key: { tenant_id: "acme" } },
      { type: "put", table: "rule_counters", row: counter },
    ]);
    appendFileSync(copy, "half a li");
    const tenant = await open();
    expect(back).toMatchObject([{ isNew: false, changes: 1 }]);
    expect(await textsOf(tenant)).toEqual(["never run commands", "in between"]);
    await tenant.rules.add(rule("whole again"));
    expect(inCopy("standing_rules")).toHaveLength(3);
  });

  it("a copy that another version has left behind is written anew: the database counts", async () => {
    await fill();
    await stores?.close();
    const clock = createHandClock();
    const without = await openSqliteStores({ file, clock, ids: createIds(clock.now) });
    await without.tenant("acme").rules.add(rule("by an older Pincer"));
    await without.close();
    const tenant = await open();
    expect(back).toEqual([]);
    expect(await textsOf(tenant)).toEqual(["never run commands", "by an older Pincer"]);
    expect(inCopy("standing_rules")).toHaveLength(2);
  });

  it("a change that was undone is not in it", async () => {
    const tenant = await fill();
    const before = readFileSync(copy, "utf8");
    const crowd = ["1", "2"].map((id) => ({ ...sender(id), by: "owner" }));
    const broken = { ...sender("3"), by: null as unknown as string };
    await expect(tenant.pairing.allow([...crowd, broken])).rejects.toThrow("NOT NULL");
    expect(readFileSync(copy, "utf8")).toBe(before);
  });

  it("whatever is added and removed, it holds what the database holds", async () => {
    const tenant = await open();
    await assert(
      asyncProperty(array(tuple(boolean(), nat(5)), { maxLength: 12 }), async (steps) => {
        for (const [isAdded, each] of steps) {
          if (isAdded) await tenant.pairing.allow([{ ...sender(`${each}`), by: "owner" }]);
          else await tenant.pairing.revoke(sender(`${each}`));
        }
        const kept = readPolicyFile(copy, () => [
          "tenant_id",
          "channel",
          "sender_id",
          "every_account",
          "account_id",
        ]);
        const allowed = await tenant.pairing.listAllowed({});
        expect((kept?.rows.get("allowed_senders") ?? []).map((row) => row["sender_id"]).sort()).toEqual(
          allowed.map(({ senderId }) => senderId).sort(),
        );
      }),
      { numRuns: 20 },
    );
  });
});
