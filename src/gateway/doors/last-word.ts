/**
 * What an identity provider last said about somebody counts for what they let in as well: where they may do or reach less by now, or nothing
 * at all, what is more than that is taken back.
 */
import type { Caller } from "../../policy/caller.ts";
import { givableRoles, mayGive } from "../../policy/may-give.ts";
import type { AccessRecord, AccessStore } from "../../storage/access/access.ts";

/** Whoever comes with a new name every time costs no memory. */
const mostRemembered = 1000;

/** `caller` undefined: they are nobody here. Throws what the storage does. */
export function createLastWord({
  access,
}: {
  access: Pick<AccessStore, "list" | "revoke">;
}): (callerId: string, caller: Caller | undefined) => Promise<void> {
  /** What was said last, and done about it. */
  const heard = new Map<string, string>();
  return async (callerId, caller) => {
    const word = JSON.stringify([caller?.role, caller?.scope]);
    if (heard.get(callerId) === word) return;
    const made = (await access.list()).filter(({ createdBy }) => createdBy === callerId);
    for (const each of made) if (!isWithin(caller, each)) await access.revoke(each.id, "system");
    if (heard.size >= mostRemembered) heard.clear();
    heard.set(callerId, word);
  };
}

function isWithin(caller: Caller | undefined, { role, scope }: AccessRecord): boolean {
  const given = givableRoles.find((each) => each === role);
  return caller !== undefined && given !== undefined && mayGive(caller, { role: given, scope });
}
