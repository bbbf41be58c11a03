/** Ends the active session of a key, if any, and starts another, between turns; nothing is deleted. */
import { carryOver } from "./carry-over.ts";
import type { Config } from "../config/schema.ts";
import { sessionLeaseName } from "../storage/sessions/session-lease.ts";
import type { OpenSession, SessionRecord } from "../storage/stores.ts";
import type { OpenHome } from "../storage/home/open-home.ts";

/** Throws `session/busy` when a turn is in the way for too long, and what the storage throws. */
export async function beginSession(
  { leases, stores, mirror }: Pick<OpenHome, "leases" | "stores" | "mirror">,
  session: OpenSession,
  { carry }: Pick<Config["session"]["reset"], "carry">,
): Promise<{ session: SessionRecord; ended: SessionRecord | undefined }> {
  return leases.hold(sessionLeaseName(session), async () => {
    const begun = await stores.sessions.openNew(session, carry === "always" ? carryOver : undefined);
    if (begun.ended) await mirror(begun.ended);
    await mirror(begun.session);
    return begun;
  });
}
