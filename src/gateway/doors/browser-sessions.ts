/** Browsers that have signed in: by a one-time code, the password or the token of the home. They keep a session in a cookie that no script reads. */
import { oneLine, shorten } from "../../infra/one-line.ts";
import type { Caller, CallerScope } from "../../policy/caller.ts";
import type { GivableRole } from "../../policy/may-give.ts";
import type { AccessRecord, NewAccess } from "../../storage/access.ts";
import { tooMany, type DoorParts, type Found, type TooMany } from "./door-parts.ts";
import type { ShownFrom } from "./doors.ts";
import { createPasswordCheck } from "./password.ts";
import { digestOf, makeSecret, markOf } from "./secret-digest.ts";
import type { SignInTries } from "./sign-in-tries.ts";

export type SignInProof = { code: string } | { password: string } | { token: string };

export type SignIn =
  | { type: "signed-in"; cookie: string; maxAgeSeconds: number; access: AccessRecord }
  | { type: "refused" }
  | TooMany;

export interface BrowserSessions {
  /** For a browser of somebody who may do and reach this much; that it is not more than `by` has is for the caller to see to. */
  makeCode(grant: {
    role: GivableRole;
    scope: CallerScope;
    by: Caller;
  }): Promise<{ code: string; expiresAt: string }>;
  /** Never throws for what is shown. `name` is what the browser says about itself. */
  signIn(proof: SignInProof, from: ShownFrom & { name: string }): Promise<SignIn>;
  /** Ends the session; nothing happens where there is none. */
  signOut(cookie: string): Promise<void>;
}

export interface BrowserDoor {
  sessions: BrowserSessions;
  /** One whose secret is still what it was when it was made. */
  find(cookie: string): Promise<AccessRecord | undefined>;
  /** Until when a session is good that is used now. */
  expiry(): string;
}

type Parts = Pick<DoorParts, "access" | "homeSecrets" | "codes" | "config" | "clock" | "onError"> & {
  tries: SignInTries;
  findHomeToken(shown: string, from: ShownFrom): Promise<Found>;
};

const secretForm = /^[\w-]{20,200}$/;

export function createBrowserSessions(parts: Parts): BrowserDoor {
  const { access, codes, config, clock, tries } = parts;
  const passwords = createPasswordCheck();
  const lifeMs = () => config().gateway.auth.sessionHours * 3_600_000;
  const expiry = () => new Date(clock.now() + lifeMs()).toISOString();

  async function find(cookie: string): Promise<AccessRecord | undefined> {
    if (!secretForm.test(cookie)) return undefined;
    const found = await access.findByDigest(digestOf(cookie));
    if (found?.kind !== "browser") return undefined;
    if (!(await isMakerIn(parts, found.createdBy, ["token", "device", "node"]))) return undefined;
    return found.boundTo === null || (await isBound(parts, found.boundTo)) ? found : undefined;
  }

  async function byCode(code: string): Promise<Session | undefined> {
    const grant = secretForm.test(code) ? codes.take(code) : undefined;
    if (!grant || !(await isMakerIn(parts, grant.by))) return undefined;
    return { role: grant.role, scope: grant.scope, createdBy: grant.by, boundTo: grant.boundTo, way: "code" };
  }

  async function byPassword(password: string, from: ShownFrom): Promise<Session | TooMany | undefined> {
    const allowed = tries.look(from.address);
    if (!allowed.ok) return tooMany(allowed.retryAfterSeconds);
    const { mode } = config().gateway.auth;
    const stored = mode === "password" ? await parts.homeSecrets.password() : undefined;
    const outcome = await passwords.check(password, stored);
    if (outcome === "busy") return tooMany(1);
    if (outcome === "wrong") return undefined;
    return { ...owners, way: "password", boundTo: await bindingOf(parts, "password") };
  }

  async function byToken(token: string, from: ShownFrom): Promise<Session | TooMany | undefined> {
    const found = await parts.findHomeToken(token, from);
    if (!found) return undefined;
    if ("caller" in found) return { ...owners, way: "token", boundTo: await bindingOf(parts, "token") };
    return found.admission.type === "too-many-tries" ? found.admission : undefined;
  }

  async function prove(proof: SignInProof, from: ShownFrom): Promise<Session | TooMany | undefined> {
    try {
      if ("code" in proof) return await byCode(proof.code);
      return "password" in proof ? await byPassword(proof.password, from) : await byToken(proof.token, from);
    } catch (error) {
      parts.onError(error);
      return undefined;
    }
  }

  const sessions: BrowserSessions = {
    async makeCode({ role, scope, by }) {
      return codes.make({ role, scope, by: by.id, boundTo: await inheritedBinding(parts, by) });
    },
    async signIn(proof, from) {
      const session = await prove(proof, from);
      if (session && "type" in session) return session;
      if (!session) {
        const counted = tries.wrong(from.address);
        return counted.ok ? { type: "refused" } : tooMany(counted.retryAfterSeconds);
      }
      const cookie = makeSecret();
      const outcome = await access.put({
        ...session,
        kind: "browser",
        name: shorten(oneLine(from.name), 100) || "browser",
        secretDigest: digestOf(cookie),
        expiresAt: expiry(),
      });
      if (outcome.type === "full") return tooMany(60);
      return {
        type: "signed-in",
        cookie,
        maxAgeSeconds: Math.floor(lifeMs() / 1000),
        access: outcome.access,
      };
    },
    async signOut(cookie) {
      const found = await find(cookie);
      if (found) await access.revoke(found.id, `browser:${found.id}`);
    },
  };
  return { sessions, find, expiry };
}

type Session = Pick<NewAccess, "role" | "scope" | "createdBy" | "way"> & { boundTo: string | null };

const owners = { role: "owner", scope: { type: "tenant" }, createdBy: "owner" } as const;

/** A session that a secret made is good only as long as that secret is. */
async function bindingOf({ homeSecrets }: Parts, to: "token" | "password"): Promise<string> {
  const token = await homeSecrets.token();
  const secret = to === "token" ? token : ((await homeSecrets.password()) ?? "");
  // Under the home's token, so that a password cannot be guessed from what is stored.
  return `${to}:${markOf(token, secret)}`;
}

async function isBound(parts: Parts, boundTo: string): Promise<boolean> {
  const to = boundTo.startsWith("token:") ? "token" : "password";
  if (to === "password" && parts.config().gateway.auth.mode !== "password") return false;
  try {
    return (await bindingOf(parts, to)) === boundTo;
  } catch (error) {
    parts.onError(error);
    return false;
  }
}

/** What a code's maker hangs on, whoever comes with the code hangs on, too. */
async function inheritedBinding(parts: Parts, by: Caller): Promise<string | null> {
  if (by.id === "owner") return by.way === "token" ? bindingOf(parts, "token") : null;
  const id = accessIdOf(by.id);
  return (id && (await parts.access.get(id))?.boundTo) ?? null;
}

/**
 * A code that somebody made who is not in any more is good for nothing. A session that came of it goes on after a browser's that was not used
 * any longer, but not after a token or a device that had its time.
 */
async function isMakerIn(
  { access, clock }: Parts,
  by: string,
  kinds: readonly string[] = ["token", "device", "node", "browser"],
): Promise<boolean> {
  const id = accessIdOf(by);
  if (id === undefined || !kinds.some((kind) => by.startsWith(`${kind}:`))) return true;
  const maker = await access.get(id);
  if (!maker || maker.revokedAt !== null) return false;
  return maker.expiresAt === null || Date.parse(maker.expiresAt) > clock.now();
}

const accessIdOf = (callerId: string): string | undefined =>
  /^(?:token|device|browser|node):(.+)$/.exec(callerId)?.[1];
