/** What a home does when its database turns out to have lost something: whoever opens it first notes it, and nothing is done twice. */
import { existsSync, statSync } from "node:fs";
import type { Home } from "../../config/home.ts";
import { timestamp, type Clock } from "../../infra/clock.ts";
import type { PolicyBack } from "../policy-copy/keep-policy.ts";
import type { LostLog } from "../sqlite/lost-log.ts";
import type { TenantStores } from "../storage.ts";
import { listTranscripts } from "../transcript/list-transcripts.ts";
import { openRecovery } from "./recovery.ts";

export interface LossNotice {
  /** Whether there was no database, or an empty one. */
  isNew: boolean;
  /** For `openSqliteStores`. */
  onLogLost(lost: LostLog): void;
  onPolicyBack(back: PolicyBack & { isNew: boolean }): void;
  /** When it is open: what an older state would do again waits for its owner. Done again after a crash, and safe to repeat. */
  hold(stores: Pick<TenantStores, "backlogs">): Promise<void>;
}

/** Before the database is opened or made: a crash after that would look like a home that has lost nothing. */
export async function noticeLoss(home: Home, clock: Clock): Promise<LossNotice> {
  const recovery = openRecovery(home.recoveryFile);
  const isNew = (statSync(home.coreDb, { throwIfNoEntry: false })?.size ?? 0) === 0;
  const at = timestamp(clock);
  if (isNew && (await wasThere(home))) recovery.begin({ at, lost: "database", changes: 0, rows: {} });
  return {
    isNew,
    onLogLost() {
      recovery.begin({ at, lost: "log", changes: 0, rows: {}, isToHold: true });
    },
    onPolicyBack({ changes, rows, isNew: isEmpty }) {
      // One alone is a change that a crash cut off, and is done again: nothing was lost.
      if (!isEmpty && changes <= 1) return;
      recovery.begin({ at, lost: isEmpty ? "database" : "changes", changes, rows, isToHold: !isEmpty });
    },
    async hold({ backlogs }) {
      const open = recovery.read();
      if (!open?.isToHold) return;
      await backlogs.hold({ which: "all", since: open.at, notice: "notice.held-loss" });
      recovery.held();
    },
  };
}

/** There is no database, and there was one. */
async function wasThere({ policyCopyFile, agentsDir }: Home): Promise<boolean> {
  return existsSync(policyCopyFile) || (await listTranscripts(agentsDir)).length > 0;
}
