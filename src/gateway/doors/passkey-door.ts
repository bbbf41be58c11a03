/**
 * Browsers that sign in with a passkey: a key that the device keeps, uses only for pages of one host name, and only
 * after verifying its user. It signs in exactly the person for whom it was created. The library is loaded when
 * somebody first uses a known passkey.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { createHash } from "node:crypto";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import { oneLine, shorten } from "../../infra/one-line.ts";
import type { Caller } from "../../policy/caller.ts";
import type { AccessRecord } from "../../storage/access/access.ts";
import type { PasskeyStore } from "../../storage/access/passkeys.ts";
import type { DoorParts } from "./door-parts.ts";
import { endOfLine } from "./maker-line.ts";
import type { OneTimeChallenges } from "./one-time-challenges.ts";
import { placeOf, relyingPartyOf, type RelyingParty } from "./relying-party.ts";

export interface PasskeyDoor {
  /** What pages may know that are sent to this name: whether it can have passkeys at all, and whether any is there. Never throws for what is shown. */
  describePasskeys(hostHeader: string | undefined): Promise<{ here: boolean; registered: boolean }>;
  /** For signing in; the same for everybody. Undefined: not from this page. */
  askForPasskey(origin: string | undefined): Promise<PublicKeyCredentialRequestOptionsJSON | undefined>;
  /** The access that it is a key to, and the use noted; undefined where anything about it is wrong. Throws what the storage does. */
  findPasskey(
    shown: AuthenticationResponseJSON,
    origin: string | undefined,
  ): Promise<AccessRecord | undefined>;
  /** For a signed-in browser that wants one. Throws PincerError `permission/missing`. */
  offerPasskey(caller: Caller, origin: string | undefined): Promise<PublicKeyCredentialCreationOptionsJSON>;
  /** Throws PincerError `permission/missing`, `usage/bad-argument`. */
  addPasskey(
    caller: Caller,
    request: { name: string; response: RegistrationResponseJSON },
    origin: string | undefined,
  ): Promise<AccessRecord>;
}

type Parts = Pick<DoorParts, "access" | "config"> & {
  passkeys: PasskeyStore;
  challenges: OneTimeChallenges;
  clock: Pick<Clock, "now">;
};

const timeoutMs = 120_000;
/** Ed25519, P-256 and RSA: what devices have. */
const supportedAlgorithmIDs = [-8, -7, -257];

export function createPasskeyDoor(parts: Parts): PasskeyDoor {
  const { access, passkeys, challenges } = parts;
  const rules = () => parts.config().gateway;

  /** Only a browser's own session: other callers have no use for one. */
  async function makerOf(caller: Caller): Promise<AccessRecord> {
    const [, id] = /^browser:(.+)$/.exec(caller.id) ?? [];
    const found = id === undefined ? undefined : await access.get(id);
    if (!found) {
      throw failure(
        "permission/missing",
        "passkey.browsers-only",
        {},
        { hint: "passkey.browsers-only.hint" },
      );
    }
    return found;
  }

  function placeFor(origin: string | undefined): RelyingParty {
    const place = relyingPartyOf(origin, rules());
    if (place) return place;
    throw failure("permission/missing", "passkey.not-here", {}, { hint: "passkey.not-here.hint" });
  }

  return {
    async describePasskeys(hostHeader) {
      const id = placeOf(hostHeader, rules());
      if (id === undefined) return { here: false, registered: false };
      return { here: true, registered: (await passkeys.listFor(id)).length > 0 };
    },

    async askForPasskey(origin) {
      const place = relyingPartyOf(origin, rules());
      if (!place) return undefined;
      // By hand: a stranger who asks does not have the library loaded.
      return {
        rpId: place.id,
        challenge: challenges.make(signingIn(place)),
        userVerification: "required",
        timeout: timeoutMs,
      };
    },

    async findPasskey(shown, origin) {
      const place = relyingPartyOf(origin, rules());
      if (!place) return undefined;
      const isAsked = challenges.take(challengeIn(shown), signingIn(place));
      if (!isAsked) return undefined;
      const found = await passkeys.find(shown.id);
      if (!found || found.rpId !== place.id) return undefined;
      const counter = await verifiedCounter(shown, place, found);
      if (counter === undefined || !(await passkeys.use(found.credentialId, counter))) return undefined;
      await access.touch(found.access.id);
      return found.access;
    },

    async offerPasskey(caller, origin) {
      const maker = await makerOf(caller);
      const place = placeFor(origin);
      const { generateRegistrationOptions } = await load();
      const known = await passkeys.listFor(place.id);
      return generateRegistrationOptions({
        rpName: "Pincer",
        rpID: place.id,
        userName: `Pincer (${maker.role})`,
        userID: await userIdOf(parts, maker),
        challenge: bytesOf(challenges.make(registering(place, caller))),
        attestationType: "none",
        supportedAlgorithmIDs,
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        excludeCredentials: known.map(({ credentialId, transports }) => ({
          id: credentialId,
          transports: [...transports],
        })),
        timeout: timeoutMs,
      });
    },

    async addPasskey(caller, { name, response }, origin) {
      const maker = await makerOf(caller);
      const place = placeFor(origin);
      const isAsked = challenges.take(challengeIn(response), registering(place, caller));
      const credential = isAsked ? await verifiedCredential(response, place) : undefined;
      if (!credential)
        throw failure("usage/bad-argument", "passkey.wrong", {}, { hint: "passkey.wrong.hint" });
      const { role, scope, boundTo } = maker;
      const outcome = await passkeys.add({
        access: {
          role,
          scope,
          boundTo,
          name: shorten(oneLine(name), 100) || "passkey",
          createdBy: caller.id,
          expiresAt: await endOfLine(caller.id, {
            access,
            jwt: rules().auth.jwt,
            nowMs: parts.clock.now(),
          }),
        },
        credentialId: credential.id,
        rpId: place.id,
        publicKey: Buffer.from(credential.publicKey).toString("base64url"),
        counter: credential.counter,
        transports: credential.transports ?? [],
      });
      if (outcome.type === "stored") return outcome.access;
      const text = outcome.type === "known" ? "passkey.known" : "access.full";
      throw failure("usage/bad-argument", text, {}, { hint: "access.unknown.hint" });
    },
  };
}

const load = () => import("@simplewebauthn/server");

const signingIn = ({ origin }: RelyingParty) => ["sign-in", origin];
const registering = ({ origin }: RelyingParty, { id }: Caller) => ["register", origin, id];

/** Undefined unless it is the key's own signature, over this page's challenge, by somebody whom the device made sure of. */
async function verifiedCounter(
  response: AuthenticationResponseJSON,
  { id, origin }: RelyingParty,
  passkey: { credentialId: string; publicKey: string },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await load();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      // Taken before: it is over whatever else is wrong.
      expectedChallenge: () => true,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      // Whether the counter rose is decided by the storage, in one step with noting it: two at once cannot both be right.
      credential: { id: passkey.credentialId, publicKey: bytesOf(passkey.publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined; // the library throws for everything that is wrong with what was shown
  }
}

async function verifiedCredential(response: RegistrationResponseJSON, { id, origin }: RelyingParty) {
  const { verifyRegistrationResponse } = await load();
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: () => true,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      supportedAlgorithmIDs,
    });
    return registrationInfo?.credential;
  } catch {
    return undefined; // the library throws for everything that is wrong with what was shown
  }
}

/** What the page says was signed; that it was is shown by the signature. Empty for what says nothing. */
function challengeIn({ response }: { response: { clientDataJSON: string } }): string {
  try {
    const said: unknown = JSON.parse(Buffer.from(response.clientDataJSON, "base64url").toString());
    const found = typeof said === "object" && said !== null && "challenge" in said ? said.challenge : "";
    return typeof found === "string" ? found : "";
  } catch {
    return ""; // no JSON, no challenge
  }
}

/** One for each role of this gateway: a device that had a key for it before replaces that one. */
async function userIdOf({ access }: Parts, { role }: AccessRecord): Promise<Uint8Array<ArrayBuffer>> {
  const digest = createHash("sha256")
    .update(JSON.stringify([await access.gatewayId(), role]))
    .digest();
  return new Uint8Array(digest);
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64url"));
