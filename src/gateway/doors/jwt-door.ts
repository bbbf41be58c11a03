/** Tokens signed by an identity provider: who they are for, how long they are valid, and which role they mean here. */
import { isAbsolute, join } from "node:path";
import { errors, createLocalJWKSet, jwtVerify, type JWTPayload } from "jose";
import type { Clock } from "../../infra/clock.ts";
import { oneLine, shorten } from "../../infra/one-line.ts";
import type { Caller, CallerScope } from "../../policy/caller.ts";
import { givableRoles, type GivableRole } from "../../policy/may-give.ts";
import { roleAliases } from "../../policy/role-aliases.ts";
import { createKeySource, readKeysFrom, readKeysOf, type KeySource } from "./jwks.ts";
import { isDenied, type JwtConfig } from "./provider-people.ts";

export interface JwtDoor {
  /** Undefined for a token that is wrong, over, or means nothing here. Never throws for what is shown. */
  find(token: string, jwt: JwtConfig): Promise<Caller | undefined>;
}

/** Asymmetric algorithms only: a verifier cannot forge tokens. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Clocks are never quite alike. */
const toleranceSeconds = 5;

export function createJwtDoor({
  clock,
  tenantId,
  homeRoot,
  said,
  onError,
}: {
  clock: Clock;
  tenantId: string;
  /** Where a file of keys is looked for that is named without its place. */
  homeRoot: string;
  /** Told what the provider says about somebody now, whom it has signed for; undefined: nothing that means anything here. */
  said?(callerId: string, caller: Caller | undefined): Promise<void>;
  /** Told where keys cannot be had: that is not the caller's fault. */
  onError(error: unknown): void;
}): JwtDoor {
  const sources = new Map<string, KeySource>();

  function sourceOf({ jwksUrl, jwksFile }: JwtConfig): KeySource | undefined {
    const from = jwksUrl ?? jwksFile;
    if (from === undefined) return undefined;
    const known = sources.get(from);
    if (known) return known;
    const read =
      jwksUrl === undefined
        ? readKeysOf(isAbsolute(from) ? from : join(homeRoot, from))
        : readKeysFrom(jwksUrl, clock);
    const source = createKeySource({ read, clock });
    sources.clear();
    sources.set(from, source);
    return source;
  }

  async function verify(token: string, jwt: JwtConfig, source: KeySource): Promise<JWTPayload> {
    const demands = {
      issuer: jwt.issuer,
      audience: jwt.audience,
      algorithms,
      requiredClaims: ["exp", "sub"],
      clockTolerance: toleranceSeconds,
      currentDate: new Date(clock.now()),
    };
    const check = async (anew: boolean) =>
      (await jwtVerify(token, createLocalJWKSet(await source.keys(anew)), demands)).payload;
    try {
      return await check(false);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return check(true);
    }
  }

  return {
    async find(token, jwt) {
      const source = sourceOf(jwt);
      if (!source) return undefined;
      try {
        const payload = await verify(token, jwt, source);
        const id = idOf(payload);
        if (id === undefined) return undefined;
        const caller = callerOf(payload, jwt, { id, tenantId });
        await said?.(id, caller);
        return caller;
      } catch (error) {
        if (!(error instanceof errors.JOSEError)) onError(error);
        return undefined;
      }
    },
  };
}

const idOf = ({ sub }: JWTPayload): string | undefined =>
  typeof sub !== "string" || sub === "" || sub.length > 256 ? undefined : `user:${sub}`;

function callerOf(
  payload: JWTPayload,
  jwt: JwtConfig,
  { id, tenantId }: Pick<Caller, "id" | "tenantId">,
): Caller | undefined {
  const { sub = "" } = payload;
  if (isDenied(sub, jwt)) return undefined;
  const role = roleOf(payload, jwt);
  const scope = scopeOf(payload, jwt);
  if (!role || !scope) return undefined;
  const name = typeof payload["name"] === "string" ? shorten(oneLine(payload["name"]), 100) : "";
  return { id, name: name || sub, role, way: "jwt", tenantId, scope };
}

/** The strongest of those that mean something here; undefined where none does. */
function roleOf(payload: JWTPayload, jwt: JwtConfig): GivableRole | undefined {
  const meanings = jwt.roles ?? roleAliases;
  const named = textsOf(claim(payload, jwt.roleClaim ?? "roles"));
  const meant = named.flatMap((value) => (Object.hasOwn(meanings, value) ? [meanings[value]] : []));
  return givableRoles.find((role) => meant.includes(role));
}

/** Where a claim confines callers, one without it reaches nothing. */
function scopeOf(payload: JWTPayload, { agentsClaim }: JwtConfig): CallerScope | undefined {
  if (agentsClaim === undefined) return { type: "tenant" };
  const agentIds = textsOf(claim(payload, agentsClaim));
  if (agentIds.length === 0) return undefined;
  return agentIds.includes("*") ? { type: "tenant" } : { type: "agent", agentIds };
}

/** By its name, or along a path with dots. */
function claim(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  let at: unknown = payload;
  for (const part of name.split(".")) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string, unknown>)[part];
  }
  return at;
}

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, 1000) : [value]).filter(
    (each): each is string => typeof each === "string" && each !== "",
  );
