/** Short ways to write attacks that come with a page or a mail. */
import type { AttackCase } from "./case.ts";
import { carriers } from "./carriers.ts";

/** `words` come with the carrier, `page` unless told. */
export interface AttackDraft extends Partial<Omit<AttackCase, "type" | "id" | "class" | "goal" | "carrier">> {
  id: string;
  class: string;
  goal: string;
  carrier?: string;
  words: string;
}

export function attack({ words, carrier = "page", world, before, says, ...draft }: AttackDraft): AttackCase {
  const carry = carriers[carrier];
  if (!carry) throw new Error(`nothing is carried by ${carrier}`);
  const carried = carry(words);
  return {
    type: "attack",
    carrier,
    ...carried,
    ...draft,
    world: {
      ...carried.world,
      ...world,
      files: { ...carried.world?.files, ...world?.files },
      pages: { ...carried.world?.pages, ...world?.pages },
    },
    before: [...(before ?? []), ...(carried.before ?? [])],
    says: [...carried.says, ...(says ?? [])],
  };
}
