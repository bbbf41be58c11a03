import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRedactor } from "../../infra/redactor.ts";
import { createSay } from "../../infra/texts.ts";
import { openHome } from "./open-home.ts";

const rule = (text: string) => ({ text, enforcement: null, agentId: null, setBy: "cli:owner" });

/** A home whose database is older than its policy copy by so many changes. */
async function loseChanges(count: number) {
  const root = mkdtempSync(join(tmpdir(), "pincer-home-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const parts = {
    environment: { HOME: root, PINCER_HOME: join(root, "home") },
    redactor: createRedactor(),
    say: createSay("en"),
    notify: () => {},
    cwd: root,
  };
  const first = await openHome(parts, {});
  await first.stores.rules.add(rule("never run commands"));
  const { coreDb, recoveryFile } = first.home;
  await first.close();
  copyFileSync(coreDb, `${coreDb}.old`);
  const second = await openHome(parts, {});
  for (let at = 0; at < count; at++) await second.stores.rules.add(rule(`rule ${at}`));
  await second.close();
  copyFileSync(`${coreDb}.old`, coreDb);
  for (const suffix of ["-wal", "-shm"]) rmSync(`${coreDb}${suffix}`, { force: true });
  const third = await openHome(parts, {});
  const rules = (await third.stores.rules.list()).map(({ id, text }) => (id === 0 ? "no tools" : text));
  await third.close();
  return { rules, isRecovering: existsSync(recoveryFile) };
}

describe("a home whose database is older than its policy copy", () => {
  it("by one change, which a crash cut off, has it again and nothing to confirm", async () => {
    expect(await loseChanges(1)).toEqual({ rules: ["never run commands", "rule 0"], isRecovering: false });
  });

  it("by more, has them again and runs no tool until the owner has looked", async () => {
    expect(await loseChanges(2)).toEqual({
      rules: ["no tools", "never run commands", "rule 0", "rule 1"],
      isRecovering: true,
    });
  });
});

describe("a home whose database is older, beside a policy copy that is damaged or gone", () => {
  const token = (name: string) => ({
    kind: "token" as const,
    role: "owner",
    name,
    scope: { type: "tenant" as const },
    secretDigest: `digest of ${name}`,
    way: "token",
    createdBy: "cli:owner",
    expiresAt: null,
  });
  const sender = { channel: "telegram", accountId: "bot", senderId: "7" };

  async function revokeAndGoBack(spoil: (copy: string) => void) {
    const root = mkdtempSync(join(tmpdir(), "pincer-home-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const notices: string[] = [];
    const parts = {
      environment: { HOME: root, PINCER_HOME: join(root, "home") },
      redactor: createRedactor(),
      say: createSay("en"),
      notify: (text: string) => void notices.push(text),
      cwd: root,
    };
    const first = await openHome(parts, {});
    const { access, pairing } = first.stores;
    const revoked = await access.put(token("revoked"));
    await pairing.allow([{ ...sender, by: "owner" }]);
    await pairing.openClaim({ code: "ABCD2345", ttlMs: 60_000 });
    const claim = { code: "ABCD2345", channel: "telegram", senderId: "8", maxTries: 5 };
    expect(await pairing.claimOwner(claim)).toEqual({ type: "claimed" });
    const { coreDb, policyCopyFile } = first.home;
    await first.close();
    copyFileSync(coreDb, `${coreDb}.old`);
    const second = await openHome(parts, {});
    if (revoked.type === "stored") await second.stores.access.revoke(revoked.access.id, "cli:owner");
    await second.stores.pairing.revoke(sender);
    await second.stores.pairing.removeOwner("telegram", "8");
    await second.stores.rules.add(rule("never run commands"));
    await second.close();
    copyFileSync(`${coreDb}.old`, coreDb);
    for (const suffix of ["-wal", "-shm"]) rmSync(`${coreDb}${suffix}`, { force: true });
    spoil(policyCopyFile);
    notices.length = 0;
    const third = await openHome(parts, {});
    onTestFinished(() => third.close());
    return { ...third, notices };
  }

  const spoils: Record<string, (copy: string) => void> = {
    "a damaged line": (copy) =>
      writeFileSync(copy, readFileSync(copy, "utf8").replace('"number":3', '"number":4')),
    "nothing in it": (copy) => writeFileSync(copy, ""),
    garbage: (copy) => writeFileSync(copy, "garbage\n"),
    "a line too few": (copy) => writeFileSync(copy, readFileSync(copy, "utf8").replace(/[^\n]*\n$/, "x\n")),
    "no file": (copy) => rmSync(copy),
  };
  it.each(Object.keys(spoils))("keeps out whoever may have been turned away, with %s", async (how) => {
    const { stores, recovery, notices } = await revokeAndGoBack(spoils[how] ?? (() => {}));
    expect(recovery.read()).toMatchObject({ isInDoubt: true });
    expect(notices.join("\n")).toContain("Rules may be missing");
    const { access, pairing } = stores;
    expect(await access.findByDigest("digest of revoked")).toBeUndefined();
    expect(await pairing.isAllowed(sender)).toBe(false);
    expect(await pairing.isOwner("telegram", "8")).toBe(false);
    // Whoever is let in from now on is in, and once the owner has looked, everybody.
    await access.put(token("new"));
    await pairing.allow([{ ...sender, senderId: "9", by: "owner" }]);
    expect(await access.findByDigest("digest of new")).toBeDefined();
    expect(await pairing.isAllowed({ ...sender, senderId: "9" })).toBe(true);
    expect((await access.list()).length).toBeGreaterThan(0);
    recovery.confirm();
    expect(await pairing.isAllowed({ ...sender, senderId: "9" })).toBe(true);
  });
});
