/** Codes that sign a browser in once: created by a signed-in caller, valid for five minutes, kept in memory only. */
import { randomBytes } from "node:crypto";
import type { CallerScope } from "../../policy/caller.ts";
import type { GivableRole } from "../../policy/may-give.ts";
import type { Clock } from "../../infra/clock.ts";
import { digestOf } from "./secret-digest.ts";

/** What the holder of the code gets. */
export interface CodeGrant {
  role: GivableRole;
  scope: CallerScope;
  /** The caller's id, and what a session that is made by it is bound to. */
  by: string;
  boundTo: string | null;
}

export interface OneTimeCodes {
  /** The oldest one stops working when there are too many. */
  make(grant: CodeGrant): { code: string; expiresAt: string };
  /** Takes it, whatever happens next: the same code lets nobody in a second time. Undefined when it is none, or over. */
  take(code: string): CodeGrant | undefined;
}

const lifeMs = 5 * 60_000;
const mostAlive = 20;

export function createOneTimeCodes({ clock }: { clock: Pick<Clock, "now" | "monotonic"> }): OneTimeCodes {
  const alive = new Map<string, { grant: CodeGrant; untilMs: number }>();

  function clear(): void {
    for (const [key, { untilMs }] of alive) if (untilMs <= clock.monotonic()) alive.delete(key);
  }

  return {
    make(grant) {
      clear();
      const [oldest] = alive.keys();
      if (alive.size >= mostAlive && oldest !== undefined) alive.delete(oldest);
      const code = randomBytes(24).toString("base64url");
      alive.set(digestOf(code), { grant, untilMs: clock.monotonic() + lifeMs });
      return { code, expiresAt: new Date(clock.now() + lifeMs).toISOString() };
    },
    take(code) {
      clear();
      const key = digestOf(code);
      const found = alive.get(key);
      alive.delete(key);
      return found?.grant;
    },
  };
}
