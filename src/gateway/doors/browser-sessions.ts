/**
 * Signed-in browsers: by a one-time code, a passkey, the password, the home token, or their own key that the owner
 * approved. They keep a session in a cookie that no script can read.
 */
import type { AuthenticationResponseJSON } from "@simplewebauthn/server";
import { oneLine, shorten } from "../../infra/one-line.ts";
import type { Caller, CallerScope } from "../../policy/caller.ts";
import type { GivableRole } from "../../policy/may-give.ts";
import { callerIdOf } from "../../storage/access/access-row.ts";
import type { AccessRecord, NewAccess } from "../../storage/access/access.ts";
import { tooMany, type DoorParts, type Found, type TooMany } from "./door-parts.ts";
import type { DeviceProof, ShownFrom } from "./doors.ts";
import type { MakerLine } from "./maker-line.ts";
import { createPasswordCheck } from "./password.ts";
import type { SecretBindings } from "./secret-bindings.ts";
import { digestOf, makeSecret } from "./secret-digest.ts";
import type { SignInTries } from "./sign-in-tries.ts";

export type SignInProof =
  | { code: string }
  | { password: string }
  | { token: string }
  | { passkey: AuthenticationResponseJSON }
  /** `challenge` is one of `askForKey`. */
  | { device: DeviceProof & { challenge: string } };

/** Who signs in. `name` is what the browser says about itself, `origin` the page that it says it shows. */
export type SignInFrom = ShownFrom & { name: string; origin?: string | undefined };

export type SignIn =
  | { type: "signed-in"; cookie: string; maxAgeSeconds: number; access: AccessRecord }
  | { type: "refused" }
  /** A browser that asked to be let in, and waits for the owner; `code` is what the owner compares. */
  | { type: "pending"; code: string }
  | TooMany;

export interface BrowserSessions {
  /** For a browser of somebody who may do and reach this much; that it is not more than `by` has is for the caller to see to. */
  makeCode(grant: {
    role: GivableRole;
    scope: CallerScope;
    by: Caller;
  }): Promise<{ code: string; expiresAt: string }>;
  /** What a browser has to sign that comes with a key of its own. */
  askForKey(origin: string | undefined): Promise<{ challenge: string; gatewayId: string }>;
  /** Never throws for what is shown. */
  signIn(proof: SignInProof, from: SignInFrom): Promise<SignIn>;
  /** Ends the session, the key by which the browser came, and what it let in but for passkeys; nothing happens where there is none. */
  signOut(cookie: string): Promise<void>;
}

export interface BrowserDoor {
  sessions: BrowserSessions;
  /** Whether it may still be here, and those who made it, is not looked at. */
  find(cookie: string): Promise<AccessRecord | undefined>;
  /** Until when a session is good that is used now. */
  expiry(): string;
}

type Parts = Pick<
  DoorParts,
  "access" | "homeSecrets" | "codes" | "challenges" | "config" | "clock" | "onError"
> & {
  tries: SignInTries;
  line: MakerLine;
  bindings: Pick<SecretBindings, "make" | "inherit">;
  findHomeToken(shown: string, from: ShownFrom): Promise<Found>;
  findPasskey(
    shown: AuthenticationResponseJSON,
    origin: string | undefined,
  ): Promise<AccessRecord | undefined>;
  findDevice(proof: DeviceProof, from: ShownFrom): Promise<Found>;
};

const secretForm = /^[\w-]{20,200}$/;

export function createBrowserSessions(parts: Parts): BrowserDoor {
  const { access, codes, challenges, config, clock, tries, line, bindings } = parts;
  const passwords = createPasswordCheck();
  const lifeMs = () => config().gateway.auth.sessionHours * 3_600_000;
  const expiry = () => new Date(clock.now() + lifeMs()).toISOString();

  async function find(cookie: string): Promise<AccessRecord | undefined> {
    if (!secretForm.test(cookie)) return undefined;
    const found = await access.findByDigest(digestOf(cookie));
    if (found?.kind !== "browser") return undefined;
    return found;
  }

  async function byCode(code: string): Promise<Session | undefined> {
    const grant = secretForm.test(code) ? codes.take(code) : undefined;
    if (!grant) return undefined;
    const { role, scope, boundTo } = grant;
    const session = { role, scope, boundTo, createdBy: grant.by, way: "code" };
    return (await line.mayHandOn(session)) ? session : undefined;
  }

  async function byPasskey(
    shown: AuthenticationResponseJSON,
    from: SignInFrom,
  ): Promise<Session | TooMany | undefined> {
    const left = tries.look(from.address);
    if (!left.ok) return tooMany(left.retryAfterSeconds);
    const found = await parts.findPasskey(shown, from.origin);
    if (!found || !(await line.holds(found))) return undefined;
    const { role, scope, boundTo } = found;
    return { role, scope, boundTo, createdBy: callerIdOf(found), way: "passkey" };
  }

  async function byDevice(
    { challenge, ...proof }: DeviceProof & { challenge: string },
    from: SignInFrom,
  ): Promise<Session | Waits | TooMany | undefined> {
    // First, so that nobody fills what is remembered of those that came back.
    const knocks = tries.look(from.address);
    if (!knocks.ok) return tooMany(knocks.retryAfterSeconds);
    if (!challenges.take(challenge, knocking(from.origin))) return undefined;
    const found = await parts.findDevice(proof, { ...from, challenge });
    if (found && "caller" in found) {
      const { role, scope, id } = found.caller;
      return { role, scope, createdBy: id, boundTo: null, way: "device" };
    }
    const { type } = found?.admission ?? { type: "refused" };
    return found && (type === "pending" || type === "too-many-tries")
      ? (found.admission as Waits | TooMany)
      : undefined;
  }

  async function byPassword(password: string, from: ShownFrom): Promise<Session | TooMany | undefined> {
    const allowed = tries.look(from.address);
    if (!allowed.ok) return tooMany(allowed.retryAfterSeconds);
    const { mode } = config().gateway.auth;
    const stored = mode === "password" ? await parts.homeSecrets.password() : undefined;
    const outcome = await passwords.check(password, stored);
    if (outcome === "busy") return tooMany(1);
    if (outcome === "wrong") return undefined;
    return { ...owners, way: "password", boundTo: await bindings.make("password") };
  }

  async function byToken(token: string, from: ShownFrom): Promise<Session | TooMany | undefined> {
    const found = await parts.findHomeToken(token, from);
    if (!found) return undefined;
    if ("caller" in found) return { ...owners, way: "token", boundTo: await bindings.make("token") };
    return found.admission.type === "too-many-tries" ? found.admission : undefined;
  }

  async function prove(proof: SignInProof, from: SignInFrom): Promise<Session | Waits | TooMany | undefined> {
    try {
      if ("code" in proof) return await byCode(proof.code);
      if ("passkey" in proof) return await byPasskey(proof.passkey, from);
      if ("device" in proof) return await byDevice(proof.device, from);
      return "password" in proof ? await byPassword(proof.password, from) : await byToken(proof.token, from);
    } catch (error) {
      parts.onError(error);
      return undefined;
    }
  }

  const sessions: BrowserSessions = {
    async askForKey(origin) {
      return { challenge: challenges.make(knocking(origin)), gatewayId: await access.gatewayId() };
    },
    async makeCode({ role, scope, by }) {
      return codes.make({ role, scope, by: by.id, boundTo: await bindings.inherit(by) });
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
        name: shorten(oneLine(from.name), 200) || "browser",
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
      // A passkey is there to come back by.
      if (found) await access.revoke(found.id, `browser:${found.id}`, { kind: "passkey" });
    },
  };

  return { sessions, find, expiry };
}

const knocking = (origin: string | undefined) => ["device", origin ?? ""];

type Waits = Extract<SignIn, { type: "pending" }>;

type Session = Pick<NewAccess, "role" | "scope" | "createdBy" | "way"> & { boundTo: string | null };

const owners = { role: "owner", scope: { type: "tenant" }, createdBy: "owner" } as const;
