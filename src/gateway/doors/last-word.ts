/**
 * What an identity provider last said about a person also applies to the access that they granted: if their role or
 * scope shrinks, or they are removed, everything beyond it is revoked.
 */
import type { Caller } from "../../policy/caller.ts";
import { givableRoles, mayGive } from "../../policy/may-give.ts";
import type { AccessRecord, AccessStore } from "../../storage/access/access.ts";

/** Bounded: a caller with a new name every time costs no memory. */
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
