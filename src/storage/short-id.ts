import type { Ids } from "../infra/ids.ts";

/** Characters that are not confused when read aloud or copied. */
const clear = /[2-9a-hjkmnp-z]/g;
const length = 6;

/** Short enough to type on a phone. Random, so the caller must check that it is unused. */
export function shortId(ids: Ids): string {
  for (let tries = 0; tries < 100; tries++) {
    const chance = ids.make("p").slice(-16).match(clear) ?? [];
    if (chance.length >= length) return chance.slice(0, length).join("");
  }
  throw new Error("no id has enough clear characters");
}

/** Normalises a typed id. */
export const typedId = (id: string): string => id.trim().toLowerCase();
