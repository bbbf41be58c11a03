import type { Ids } from "../infra/ids.ts";

/** Read out loud or copied by hand, none of these is taken for another. */
const clear = /[2-9a-hjkmnp-z]/g;
const length = 6;

/** Short enough to type on a phone; of chance alone, so whoever keeps it has to see that nobody has it already. */
export function shortId(ids: Ids): string {
  for (let tries = 0; tries < 100; tries++) {
    const chance = ids.make("p").slice(-16).match(clear) ?? [];
    if (chance.length >= length) return chance.slice(0, length).join("");
  }
  throw new Error("no id has enough clear characters");
}

/** As it is kept, however it was typed. */
export const typedId = (id: string): string => id.trim().toLowerCase();
