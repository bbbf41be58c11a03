/**
 * A home that has lost its database, and what came back. While the owner has not confirmed it, no tool runs and no stranger is let in: nobody
 * knows what else limited it. It is a file, so that it holds whatever becomes of the database.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { RuleStore, StandingRule } from "../rules/rules.ts";

export interface Recovery {
  /** When the loss was noticed. */
  at: string;
  /**
   * `database`: the whole of it. `changes`: it was older than the copy of the policy beside it. `log`: its last changes, and perhaps none of
   * the policy.
   */
  lost: "database" | "changes" | "log";
  /** How many changes of the policy the database did not have. */
  changes: number;
  /** Rows that came back from the copy, by table. */
  rows: Record<string, number>;
  /** What the older state would do again is still to be held. */
  isToHold?: boolean;
}

export interface RecoveryRecord {
  /** Whether the owner still has to confirm one. */
  isOpen(): boolean;
  /** One that cannot be read is one all the same. */
  read(): Recovery | undefined;
  /** Keeps the first where one is open, with what is new about it. */
  begin(recovery: Recovery): void;
  /** What the older state would do again is held. */
  held(): void;
  /** The owner has looked. */
  confirm(): void;
}

export function openRecovery(file: string): RecoveryRecord {
  function read(): Recovery | undefined {
    if (!existsSync(file)) return undefined;
    try {
      return JSON.parse(readFileSync(file, "utf8")) as Recovery;
    } catch {
      // Torn by a crash while it was written: what it was about has happened.
      return { at: "", lost: "database", changes: 0, rows: {} };
    }
  }
  const write = (recovery: Recovery) =>
    writeFileSync(file, `${JSON.stringify(recovery)}\n`, { mode: 0o600, flush: true });
  return {
    isOpen: () => existsSync(file),
    read,
    begin(recovery) {
      const before = read();
      const { changes, isToHold = false } = recovery;
      write(
        before
          ? {
              ...before,
              changes,
              rows: { ...before.rows, ...recovery.rows },
              isToHold: before.isToHold || isToHold,
            }
          : recovery,
      );
    },
    held() {
      const before = read();
      if (before?.isToHold) write({ ...before, isToHold: false });
    },
    confirm: () => rmSync(file, { force: true }),
  };
}

/** The same rules, and while a recovery is open one more that forbids every tool. */
export function withRecovery(rules: RuleStore, recovery: RecoveryRecord, text: () => string): RuleStore {
  const off = (): StandingRule => ({
    id: 0,
    text: text(),
    enforcement: { tools: ["effect:read", "effect:write", "effect:act"] },
    agentId: null,
    setBy: "pincer",
    createdAt: recovery.read()?.at ?? "",
  });
  return {
    ...rules,
    async list(query) {
      const found = await rules.list(query);
      return recovery.isOpen() ? [off(), ...found] : found;
    },
  };
}
