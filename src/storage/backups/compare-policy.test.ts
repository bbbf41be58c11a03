import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { appendChanges, writeWhole, type PolicyRow } from "../policy-copy/policy-file.ts";
import { comparePolicy } from "./compare-policy.ts";

let directory: string;
let before: string;
let after: string;
let coreDb: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "pincer-compare-"));
  [before = "", after = "", coreDb = ""] = ["before", "after", "core.db"].map((name) =>
    join(directory, name),
  );
  const database = new DatabaseSync(coreDb);
  for (const [table, keys] of Object.entries(keysOf))
    database.exec(`CREATE TABLE ${table} (${keys}, PRIMARY KEY (${keys}))`);
  database.close();
});
afterEach(() => rmSync(directory, { recursive: true }));

const keysOf = {
  standing_rules: "tenant_id, id",
  owners: "tenant_id, channel, sender_id",
  allowed_senders: "tenant_id, channel, sender_id, every_account, account_id",
  access: "tenant_id, id",
  grants: "tenant_id, position",
};
const now = Date.parse("2026-02-01T00:00:00Z");
const compare = () => comparePolicy({ before, after, coreDb, now });
const nothing = {
  rulesGone: 0,
  rulesBack: 0,
  ownersBack: 0,
  peopleBack: 0,
  accessBack: 0,
  grantsBack: 0,
};

function write(file: string, tables: Record<string, PolicyRow[]>): void {
  const rows = Object.entries(tables).map(([table, all]): [string, PolicyRow[]] => [
    table,
    all.map((row) => ({ tenant_id: "t", ...row })),
  ]);
  writeWhole(file, { number: 1, rows: new Map(rows) });
}

describe("the policy that came back, beside the one before", () => {
  it("counts rules by what they say, whatever their number", () => {
    const rule = (id: number, text: string) => ({ id, agent_id: "", text, enforcement_json: null });
    write(before, { standing_rules: [rule(1, "stays"), rule(3, "set since"), rule(4, "set since, too")] });
    write(after, { standing_rules: [rule(2, "stays"), rule(3, "removed since")] });
    expect(compare()).toEqual({ ...nothing, rulesGone: 2, rulesBack: 1 });
  });

  it("counts owners and people who had been removed, and nobody who was let in since", () => {
    const person = (id: string) => ({ channel: "telegram", sender_id: id, every_account: 1, account_id: "" });
    write(before, { owners: [{ channel: "telegram", sender_id: "1" }], allowed_senders: [person("new")] });
    write(after, {
      owners: [
        { channel: "telegram", sender_id: "1" },
        { channel: "telegram", sender_id: "2" },
      ],
      allowed_senders: [person("3"), person("4")],
    });
    expect(compare()).toEqual({ ...nothing, ownersBack: 1, peopleBack: 2 });
  });

  it("counts tokens that were revoked since, or are not there any more, and none that has expired", () => {
    const token = (id: string, more: PolicyRow = {}) => ({ id, revoked_at: null, expires_at: null, ...more });
    const over = { expires_at: "2026-01-15T00:00:00.000Z" };
    write(before, { access: [token("kept"), token("revoked", { revoked_at: "2026-01-20T00:00:00.000Z" })] });
    write(after, { access: [token("kept"), token("revoked"), token("gone"), token("expired", over)] });
    expect(compare()).toEqual({ ...nothing, accessBack: 2 });
  });

  it("counts grants that were taken back, and none of a turn", () => {
    const grant = (position: number, key: string, turn = ""): PolicyRow => {
      const whose = { agent_id: "main", turn_id: turn, scope: "shape", tool: "exec" };
      return { ...whose, position, key, expires_at: null };
    };
    write(before, { grants: [grant(1, "kept")] });
    write(after, { grants: [grant(1, "kept"), grant(2, "taken back"), grant(3, "of a turn", "r_1")] });
    expect(compare()).toEqual({ ...nothing, grantsBack: 1 });
  });

  it("reads every change of the copy", () => {
    const owner = { tenant_id: "t", channel: "telegram", sender_id: "1" };
    write(before, { owners: [owner] });
    appendChanges(before, 2, [{ type: "remove", table: "owners", key: owner }]);
    write(after, { owners: [owner] });
    expect(compare()).toEqual({ ...nothing, ownersBack: 1 });
  });

  it("finds no difference in a home that has no policy, nor where nothing has come back", () => {
    expect(compare()).toEqual(nothing);
    write(before, { owners: [{ channel: "telegram", sender_id: "1" }] });
    expect(compare()).toEqual(nothing);
  });

  it("does not compare with a copy that is not there, is empty, or is damaged", () => {
    write(after, { owners: [{ channel: "telegram", sender_id: "1" }] });
    expect(compare()).toBeUndefined();
    writeFileSync(before, "");
    expect(compare()).toBeUndefined();
    write(before, {});
    appendFileSync(before, "nothing of ours\n");
    expect(compare()).toBeUndefined();
  });
});
