import type { Say } from "../../infra/texts.ts";
import type { Recovery } from "./recovery.ts";

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
