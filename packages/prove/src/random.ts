/** Chance that can be had again: the same seed gives the same choices. */
export interface Random {
  /** A whole number from 0 to just below `limit`. */
  below(limit: number): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** True as often as `share` (0 to 1) says. */
  chance(share: number): boolean;
  /** One of them; the list must not be empty. */
  pick<Item>(items: readonly Item[]): Item;
  /** A copy in another order. */
  shuffle<Item>(items: readonly Item[]): Item[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  /** Mulberry32: small, quick, and even enough to choose where to cut. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (share) => next() < share,
    pick<Item>(items: readonly Item[]): Item {
      if (items.length === 0) throw new Error("there is nothing to pick from");
      return items[below(items.length)] as Item;
    },
    shuffle(items) {
      const mixed = [...items];
      for (let last = mixed.length - 1; last > 0; last--) {
        const other = below(last + 1);
        [mixed[last], mixed[other]] = [mixed[other] as never, mixed[last] as never];
      }
      return mixed;
    },
  };
}
