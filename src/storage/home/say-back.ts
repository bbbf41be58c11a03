import type { Say } from "../../infra/texts.ts";
import { sayKept, sayLost } from "../salvage/say-salvage.ts";
import type { Recovery, Repair } from "./recovery.ts";

/** What came back, in words. */
export function sayBack({ rows }: Pick<Recovery, "rows">, say: Say): string {
  const of = (table: string) => rows[table] ?? 0;
  return say("recovery.back", {
    rules: of("standing_rules"),
    people: of("owners") + of("allowed_senders"),
    grants: of("grants"),
    ways: of("access"),
    credentials: of("credentials"),
  });
}

/** How a damaged database was replaced, and what that has cost. */
export const repairWords = ({ aside, tables }: Repair, say: Say) => ({
  aside,
  kept: sayKept({ tables }) || say("doctor.database.lost-none"),
  // Where nothing could be read, a list of all tables says no more.
  lost: tables.every(({ kept }) => kept === 0) ? say("doctor.database.lost-all") : sayLost({ tables }, say),
});

export const sayRepair = (repair: Repair, say: Say): string => say("notice.mended", repairWords(repair, say));
