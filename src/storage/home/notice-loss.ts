/** What a home does when its database turns out to have lost something: whoever opens it first notes it, and nothing is done twice. */
import { existsSync } from "node:fs";
import type { Home } from "../../config/home.ts";
import { timestamp, type Clock } from "../../infra/clock.ts";
import type { AuditAnchors } from "../audit/audit-anchors.ts";
import type { PolicyBack } from "../policy-copy/keep-policy.ts";
import { wholeNumberOf } from "../policy-copy/policy-file.ts";
import type { TenantStores } from "../storage.ts";
import { listTranscripts } from "../transcript/list-transcripts.ts";
import { openRecovery } from "./recovery.ts";

export interface LossNotice {
  /** Whether the database had no schema yet. Known once it is open. */
  isNew(): boolean;
  /** For `openSqliteStores`. */
  onNew(): Promise<void>;
  onLogLost(): void;
  onPolicyBack(back: PolicyBack & { isNew: boolean }): void;
  /** Instead of it after a repair, which says itself what is lost: only a damaged copy is noted. */
  onPolicyRepaired(back: PolicyBack): void;
  /**
   * When it is open: whether its audit log ends before what the anchors beside it say that it had. What an older state would do again waits
   * for its owner. Done again after a crash, and safe to repeat.
   */
  compare(
    stores: Pick<TenantStores, "backlogs" | "audit" | "gate">,
    anchors: AuditAnchors | undefined,
  ): Promise<void>;
}

/** Call it before the database is opened or made. */
export function noticeLoss(home: Home, clock: Clock): LossNotice {
  const recovery = openRecovery(home.recoveryFile);
  const at = timestamp(clock);
  // Whoever opens it writes a new copy, so what was there is looked up before.
  const hadCopy = wholeNumberOf(home.policyCopyFile) !== undefined;
  let isNew = false;
  /** An older state: with the copy the policy is complete all the same. */
  const older = { at, lost: hadCopy ? "log" : "changes", changes: 0, rows: {} } as const;

  return {
    isNew: () => isNew,
    async onNew() {
      isNew = true;
      if (!(await wasThere(home))) return;
      // Before the schema is made: a crash after that would look like a home that has lost nothing.
      recovery.begin({ at, lost: "database", changes: 0, rows: {}, isInDoubt: !hadCopy });
    },
    onLogLost() {
      // In the middle of a checkpoint: some of a session may be newer than the rest of it.
      recovery.begin({ ...older, isToHold: true, isToComplete: true, isInDoubt: !hadCopy });
    },
    onPolicyBack({ changes, rows, unreadable, isNew: isEmpty }) {
      const isInDoubt = unreadable > 0;
      // One alone is a change that a crash cut off, and is done again: nothing was lost.
      if (!isEmpty && changes <= 1 && !isInDoubt) return;
      const lost = isEmpty ? "database" : "changes";
      recovery.begin({ at, lost, changes, rows, isToHold: !isEmpty, isInDoubt });
    },
    onPolicyRepaired({ changes, rows, unreadable }) {
      if (unreadable > 0) recovery.begin({ at, lost: "changes", changes, rows, isInDoubt: true });
    },
    async compare({ backlogs, audit, gate }, anchors) {
      const anchored = (await anchors?.last())?.seq ?? 0;
      const seq = (await audit.head())?.seq ?? 0;
      if (anchored > seq) {
        recovery.begin({ ...older, isToHold: !isNew, isInDoubt: !hadCopy });
        await anchors?.forgetAfter(seq);
      }
      const open = recovery.read();
      if (open) await gate.noteLoss(Date.parse(open.at) || Date.parse(at));
      if (!open?.isToHold) return;
      await backlogs.hold({ which: "all", since: open.at, notice: "notice.held-loss" });
      recovery.done("isToHold");
    },
  };
}

/** Whether a home has had a database, as far as what lies beside it tells. */
export async function wasThere({ policyCopyFile, auditAnchorsFile, agentsDir }: Home): Promise<boolean> {
  if (existsSync(policyCopyFile) || existsSync(auditAnchorsFile)) return true;
  return (await listTranscripts(agentsDir)).length > 0;
}
