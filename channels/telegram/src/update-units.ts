/** Groups a batch of updates: the messages of one album together, everything else separately. */
import type { NumberedUpdate } from "./update-schema.ts";

/** In the order of their first updates; doubles are dropped. */
export function unitsOf(updates: NumberedUpdate[]): NumberedUpdate[][] {
  const units = new Map<string, NumberedUpdate[]>();
  for (const each of inOrder(updates)) {
    const key = albumOf(each) ?? `update ${each.id}`;
    const unit = units.get(key) ?? [];
    unit.push(each);
    units.set(key, unit);
  }
  return [...units.values()];
}

const inOrder = (updates: NumberedUpdate[]): NumberedUpdate[] =>
  [...new Map(updates.map((each) => [each.id, each])).values()].sort((a, b) => a.id - b.id);

export function albumOf({ update }: NumberedUpdate): string | undefined {
  const { media_group_id: group, chat } = update?.message ?? {};
  return group === undefined ? undefined : `album ${chat?.id} ${group}`;
}
