/** Ways in which a file goes bad, chosen by a seeded chance so that each failure can be repeated. */
export interface Chance {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number;
}

export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  return {
    below(limit) {
      // mulberry32
      state = (state + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * limit);
    },
  };
}

/** One to three damages of a transcript, one after the other. */
export function damage(file: Buffer, chance: Chance): Buffer {
  let damaged = file;
  for (let times = 1 + chance.below(3); times > 0; times--) {
    const way = ways[chance.below(ways.length)];
    if (way && damaged.length > 0) damaged = way(damaged, chance);
  }
  return damaged;
}

type Way = (file: Buffer, chance: Chance) => Buffer;

const ways: Way[] = [
  function truncate(file, chance) {
    return file.subarray(0, chance.below(file.length));
  },
  function loseTheBeginning(file, chance) {
    return file.subarray(chance.below(file.length));
  },
  function flipBits(file, chance) {
    const flipped = Buffer.from(file);
    for (let times = 1 + chance.below(4); times > 0; times--) {
      const place = chance.below(flipped.length);
      flipped[place] = (flipped[place] ?? 0) ^ (1 << chance.below(8));
    }
    return flipped;
  },
  function cutOut(file, chance) {
    const start = chance.below(file.length);
    return Buffer.concat([file.subarray(0, start), file.subarray(start + chance.below(300))]);
  },
  function fillWithZeros(file, chance) {
    const start = chance.below(file.length);
    return Buffer.from(file).fill(0, start, Math.min(file.length, start + chance.below(300)));
  },
  function insertBytes(file, chance) {
    const start = chance.below(file.length);
    const bytes = Buffer.from(Array.from({ length: 1 + chance.below(60) }, () => chance.below(256)));
    return Buffer.concat([file.subarray(0, start), bytes, file.subarray(start)]);
  },
  function insertAPieceOfItself(file, chance) {
    const from = chance.below(file.length);
    const start = chance.below(file.length);
    return Buffer.concat([
      file.subarray(0, start),
      file.subarray(from, from + chance.below(500)),
      file.subarray(start),
    ]);
  },
  function moveLines(file, chance) {
    return changeLines(file, (lines) => {
      for (let times = 1 + chance.below(5); times > 0; times--) {
        const [line] = lines.splice(chance.below(lines.length), 1);
        if (line !== undefined) lines.splice(chance.below(lines.length + 1), 0, line);
      }
    });
  },
  function repeatLines(file, chance) {
    return changeLines(file, (lines) => {
      const line = lines[chance.below(lines.length)];
      if (line !== undefined) lines.splice(chance.below(lines.length + 1), 0, line, line);
    });
  },
  function loseLines(file, chance) {
    return changeLines(file, (lines) => void lines.splice(chance.below(lines.length), 1 + chance.below(4)));
  },
];

function changeLines(file: Buffer, change: (lines: string[]) => void): Buffer {
  // latin1 keeps every byte as it is.
  const lines = file.toString("latin1").split("\n");
  change(lines);
  return Buffer.from(lines.join("\n"), "latin1");
}
