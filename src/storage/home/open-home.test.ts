import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
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
