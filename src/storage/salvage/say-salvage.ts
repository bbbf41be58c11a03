/** What a salvage kept and lost, in words. */
import type { Say } from "../../infra/texts.ts";
import type { Salvage } from "./salvage-database.ts";

export const sayKept = ({ tables }: Pick<Salvage, "tables">): string =>
  tables
    .filter(({ kept }) => kept > 0)
    .map(({ name, kept }) => `${name} ${kept}`)
    .join(", ");

export function sayLost({ tables }: Pick<Salvage, "tables">, say: Say): string {
  const lost = tables.filter((table) => table.isTorn || table.lost > 0);
  const words = lost.map(({ name, lost: count, isTorn }) =>
    isTorn ? say("doctor.database.lost-some", { name, count }) : `${name} ${count}`,
  );
  return words.join(", ") || say("doctor.database.lost-none");
}
