import { randomFillSync } from "node:crypto";

/** Makes ids that sort by the time they were made and never repeat. Handed in, so that tests can fix them. */
export interface Ids {
  /** `prefix_` + 10 characters of time + 16 of chance, lower-case letters and digits. */
  make(prefix: string): string;
}

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export function createIds(now: () => number = Date.now): Ids {
  return {
    make(prefix) {
      let time = now();
      let head = "";
      for (let index = 0; index < 10; index++) {
        head = alphabet[time % 32] + head;
        time = Math.floor(time / 32);
      }
      let tail = "";
      for (let index = 0; index < 16; index++) tail += alphabet[nextByte() % 32];
      return `${prefix}_${head}${tail}`;
    },
  };
}

/** Chance is drawn in bulk: one draw per id costs more than all the rest of it. */
const chance = new Uint8Array(4096);
let drawn = chance.length;

function nextByte(): number {
  if (drawn === chance.length) {
    randomFillSync(chance);
    drawn = 0;
  }
  return chance[drawn++] ?? 0;
}
