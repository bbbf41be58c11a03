import { rename, rm } from "node:fs/promises";
import type { PincerError } from "@pincer/sdk";
import { timestamp } from "../../../infra/clock.ts";
import { sayError } from "../../../infra/failure.ts";
import { formatBytes } from "../../../infra/format-bytes.ts";
import { byRepair, type Check, type Finding } from "../check.ts";
import { isThere } from "../../../infra/is-there.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import { putInPlace, repairedOf } from "../../../storage/home/mend-database.ts";
import { mendSessions } from "../../../storage/home/mend-sessions.ts";
import { salvageEntries } from "../salvage-entries.ts";
import { setAsideAnchors } from "../../../storage/audit/set-aside-anchors.ts";
import { salvageDatabase, surveyDatabase, type Salvage } from "../../../storage/salvage/salvage-database.ts";
import { sayKept, sayLost } from "../../../storage/salvage/say-salvage.ts";
import { findLostLog } from "../../../storage/sqlite/lost-log.ts";
import { wholeNumberOf } from "../../../storage/policy-copy/policy-file.ts";
import { setAsideDatabase } from "../../../storage/home/set-aside-database.ts";
import { wasThere } from "../../../storage/home/notice-loss.ts";
import { openRecovery } from "../../../storage/home/recovery.ts";
import { policyTables } from "../../../storage/policy-copy/keep-policy.ts";

/** Whether the database opens, is intact, and has no loose ends. A damaged one is replaced by a new one with everything that can be read of it, and is kept. */
export function checkDatabase(examined: ExaminedHome): Check {
  const { home, say, clock } = examined;

  const repaired = repairedOf(home.coreDb);
  const replaced = { next: say("doctor.database.replace"), repairable: true } as const;

  /** A full disk, a lock or a newer schema is no damage: it does not get better by a new database. */
  const isDamage = ({ code }: PincerError) => code === "storage/corrupt";

  async function isDamaged(): Promise<boolean> {
    const state = await examined.database();
    if (state.type === "failed") return state.error.code === "storage/corrupt";
    return state.type === "open" && (await state.stores.health("full")).problems.some(isDamage);
  }

  /** Twice, with a new connection: a passing error must not quarantine a database. */
  async function isSurelyDamaged(): Promise<boolean> {
    if (!(await isDamaged())) return false;
    await examined.closeDatabase();
    return isDamaged();
  }

  async function isMissed(): Promise<boolean> {
    return (await isThere(`${home.coreDb}-wal`)) || wasThere(home);
  }

  return {
    id: "database",
    title: say("doctor.database"),
    async check() {
      const state = await examined.database();
      if (state.type === "absent") return (await isMissed()) ? [missing()] : [none()];
      if (state.type === "failed") {
        const { message, hint } = sayError(state.error, say);
        if (isDamage(state.error)) return [{ level: "problem", message, ...replaced }, ...(await foresee())];
        return [{ level: "problem", message, ...(hint ? { next: hint } : {}) }];
      }
      const health = await state.stores.health("full");
      if (health.ok) {
        const { schemaVersion, sessions, entries, sizeBytes } = health;
        const size = formatBytes(sizeBytes);
        return [
          { level: "ok", message: say("doctor.database.ok", { schemaVersion, sessions, entries, size }) },
        ];
      }
      const found = health.problems.slice(0, 5).map((problem) => damage(problem));
      return health.problems.some(isDamage) ? [...found, ...(await foresee())] : found;
    },
    async fix() {
      const state = await examined.database();
      if (state.type === "absent") {
        // A repair of an earlier version was interrupted between its last two steps.
        if (await isThere(repaired)) {
          await rename(repaired, home.coreDb);
          return [say("doctor.database.made")];
        }
        if (!(await isMissed())) return [];
        return makeAnew();
      }
      if (!(await isSurelyDamaged())) return [];
      const damaged = await examined.database();
      const salvaged = damaged.type === "open" ? await salvageEntries(damaged, examined.transcriptFile) : 0;
      await examined.closeDatabase();
      const told = salvaged > 0 ? [say("doctor.database.salvaged", { count: salvaged })] : [];
      const salvage = await salvageDatabase({ file: home.coreDb, into: repaired, clock });
      if (!salvage.isEmpty) return [...told, ...(await replace(salvage))];
      await rm(repaired, { force: true });
      return [...told, ...(await makeAnew())];
    },
  };

  /** The damaged one is kept whole under another name. */
  async function replace(salvage: Salvage): Promise<string[]> {
    // An older state would do again what was done since.
    const isOlder = findLostLog(home.coreDb) !== undefined;
    if (isOlder) beginRecovery("log", { isToHold: true });
    const aside = await putInPlace(home, clock);
    const keptOf = (name: string) => salvage.tables.find((table) => table.name === name);
    if ((keptOf("audit_logs")?.kept ?? 0) === 0) await setAsideAnchors(home, clock);
    const hadCopy = wholeNumberOf(home.policyCopyFile) !== undefined;
    const { tenant } = await examined.makeDatabase("repaired");
    const mended = await mendSessions(tenant.sessions, examined.transcriptFile);
    const lostPolicy = salvage.tables.filter(
      ({ name, lost, isTorn }) => policyTables.includes(name) && (lost > 0 || isTorn),
    );
    // The copy brings all of it back. Without one nobody knows what else limited the assistant.
    if (lostPolicy.length > 0 && !hadCopy) beginRecovery("changes");
    // Without its record a turn that has run in part would do everything again.
    const isUnsure = keptOf("journal")?.isTorn || keptOf("turns")?.isTorn;
    const hold = { which: "begun", since: timestamp(clock), notice: "notice.held-repair" } as const;
    const held = isUnsure ? (await tenant.backlogs.hold(hold)).turns : 0;
    return [
      say("doctor.database.set-aside", { aside }),
      say("doctor.database.repaired", { kept: sayKept(salvage) }),
      say("doctor.database.lost", { lost: sayLost(salvage, say) }),
      ...(mended.filled > 0 ? [say("doctor.database.filled", { count: mended.filled })] : []),
      ...(mended.lost > 0 ? [say("doctor.database.entries-lost", { count: mended.lost })] : []),
      ...(held > 0 ? [say("doctor.database.held", { count: held })] : []),
    ];
  }

  /** What a repair would keep and lose. A gateway cannot look: it has the database open. */
  async function foresee(): Promise<Finding[]> {
    if (examined.channels) return [];
    await examined.closeDatabase();
    const salvage = surveyDatabase(home.coreDb, clock);
    if (salvage.isEmpty) return [];
    const message = say("doctor.database.would", { kept: sayKept(salvage), lost: sayLost(salvage, say) });
    return [{ level: "problem", message, ...replaced }];
  }

  async function makeAnew(): Promise<string[]> {
    const aside = await setAsideDatabase(home.coreDb, clock);
    await setAsideAnchors(home, clock);
    beginRecovery("database");
    await examined.makeDatabase("repaired");
    return [...(aside ? [say("doctor.database.set-aside", { aside })] : []), say("doctor.database.made")];
  }

  /** Until the owner has looked, no tool runs and no stranger is let in. */
  function beginRecovery(lost: "database" | "changes" | "log", more: { isToHold?: boolean } = {}): void {
    const isInDoubt = wholeNumberOf(home.policyCopyFile) === undefined;
    const recovery = { at: timestamp(clock), lost, changes: 0, rows: {}, isInDoubt, ...more };
    openRecovery(home.recoveryFile).begin(recovery);
  }

  function missing(): Finding {
    return { level: "problem", message: say("doctor.database.missing"), ...byRepair(say) };
  }

  function none(): Finding {
    return { level: "ok", message: say("doctor.database.none") };
  }

  function damage(problem: PincerError): Finding {
    const { message } = sayError(problem, say);
    return {
      level: "problem",
      message: isDamage(problem) ? say("doctor.database.damaged", { problem: message }) : message,
      ...(isDamage(problem) ? replaced : { next: say("doctor.database.later") }),
    };
  }
}
