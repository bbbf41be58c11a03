import type { PincerError } from "@pincer/sdk";
import { sayError } from "../../../infra/failure.ts";
import { formatBytes } from "../../../infra/format-bytes.ts";
import { byRepair, type Check, type Finding } from "../check.ts";
import { isThere } from "../../../infra/is-there.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import { salvageEntries } from "../salvage-entries.ts";
import { setAsideAnchors } from "../../../storage/audit/set-aside-anchors.ts";
import { setAsideDatabase } from "../../../storage/home/set-aside-database.ts";
import { listTranscripts } from "../../../storage/transcript/list-transcripts.ts";

/** Whether the database opens, is intact, and has no loose ends. A damaged one is quarantined, never deleted. */
export function checkDatabase(examined: ExaminedHome): Check {
  const { home, say, clock } = examined;

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
    const leftovers = await isThere(`${home.coreDb}-wal`);
    return leftovers || (await listTranscripts(home.agentsDir)).length > 0;
  }

  return {
    id: "database",
    title: say("doctor.database"),
    async check() {
      const state = await examined.database();
      if (state.type === "absent") return (await isMissed()) ? [missing()] : [none()];
      if (state.type === "failed") {
        const { message, hint } = sayError(state.error, say);
        if (isDamage(state.error)) return [{ level: "problem", message, ...replaced }];
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
      return health.problems.slice(0, 5).map((problem) => damage(problem));
    },
    async fix() {
      const state = await examined.database();
      if (state.type === "absent") {
        if (!(await isMissed())) return [];
        return makeAnew();
      }
      if (!(await isSurelyDamaged())) return [];
      const damaged = await examined.database();
      const salvaged = damaged.type === "open" ? await salvageEntries(damaged, examined.transcriptFile) : 0;
      await examined.closeDatabase();
      return [
        ...(salvaged > 0 ? [say("doctor.database.salvaged", { count: salvaged })] : []),
        ...(await makeAnew()),
      ];
    },
  };

  async function makeAnew(): Promise<string[]> {
    const aside = await setAsideDatabase(home.coreDb, clock);
    await setAsideAnchors(home, clock);
    await examined.makeDatabase();
    return [...(aside ? [say("doctor.database.set-aside", { aside })] : []), say("doctor.database.made")];
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
