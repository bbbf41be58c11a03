/**
 * The doors of a gateway: the home token, access tokens, browsers with a session or a passkey, devices with their key,
 * and tokens of an identity provider. Each door finds a caller or none; a failure is counted, and never explained.
 */
import { ownerCaller, reachesSpace, waysIn, type Caller, type WayIn } from "../../policy/caller.ts";
import { givableRoles, type GivableRole } from "../../policy/may-give.ts";
import { callerIdOf } from "../../storage/access/access-row.ts";
import type { AccessRecord } from "../../storage/access/access.ts";
import { isLoopback } from "../limits/address-key.ts";
import { createBrowserSessions, type BrowserSessions } from "./browser-sessions.ts";
import { createDeviceDoor } from "./device-door.ts";
import { tooMany, type DoorParts, type Found } from "./door-parts.ts";
import type { Admission, Doors, Shown, ShownFrom } from "./doors.ts";
import type { JwtDoor } from "./jwt-door.ts";
import { createLastWord } from "./last-word.ts";
import { createMakerLine } from "./maker-line.ts";
import { createPasskeyDoor, type PasskeyDoor } from "./passkey-door.ts";
import { createSecretBindings, type SecretBindings } from "./secret-bindings.ts";
import { accessTokenPrefix, digestOf, isSameSecret } from "./secret-digest.ts";

export interface GatewayDoors extends Doors, BrowserSessions, PasskeyDoor {
  /** For one connection: what a device that comes by it has to sign, and the name of this gateway. */
  makeChallenge(): Promise<{ challenge: string; gatewayId: string }>;
  /** What everything hangs on that this caller lets in. */
  bindingOf: SecretBindings["inherit"];
}

const longestShown = 16_384;
const touchEveryMs = 60_000;
/** Longer ones cannot be guessed; they are looked at however many wrong ones came before. */
const longEnough = 32;

export function createDoors(parts: DoorParts): GatewayDoors {
  const { access, homeSecrets, tries, config, clock, tenantId, onError } = parts;
  const devices = createDeviceDoor({ access, tries, callerOf: admitAccess, asked: parts.asked });
  const bindings = createSecretBindings(parts);
  const line = createMakerLine({ ...parts, isBound: bindings.isGood });
  const passkeys = createPasskeyDoor(parts);
  const browsers = createBrowserSessions({
    ...parts,
    line,
    bindings,
    findHomeToken,
    findPasskey: passkeys.findPasskey,
    findDevice: devices.find,
  });
  /** By whom they were admitted, how to find them again. */
  const again = new WeakMap<Caller, () => Promise<Found>>();
  let jwtDoor: Promise<JwtDoor> | undefined;

  /**
   * Who comes in by what is stored; also notes that it was used. Undefined where somebody who stands behind it is not here any more, and for a
   * row that this code does not understand.
   */
  async function admitAccess(found: AccessRecord, expiresAt?: string): Promise<Caller | undefined> {
    const role = givableRoles.find((each) => each === found.role);
    const way = waysIn.find((each) => each === found.way);
    if (!role || !way || !(await line.holds(found))) return undefined;
    const usedMs = found.lastUsedAt === null ? 0 : Date.parse(found.lastUsedAt);
    if (clock.now() - usedMs >= touchEveryMs) await access.touch(found.id, expiresAt).catch(onError);
    return callerOf(found, { role, way, tenantId });
  }

  async function findHomeToken(shown: string, from: ShownFrom): Promise<Found> {
    let token: string;
    try {
      token = await homeSecrets.token();
    } catch (error) {
      onError(error);
      return undefined;
    }
    if (token.length < longEnough) {
      const allowed = tries.look(from.address);
      if (!allowed.ok) return { admission: tooMany(allowed.retryAfterSeconds) };
    }
    if (token === "" || !isSameSecret(shown, token)) return undefined;
    return { caller: ownerCaller(tenantId, "token") };
  }

  async function findToken(secret: string): Promise<Found> {
    const found = await access.findByDigest(digestOf(secret));
    // A browser's session is no token: it only counts where browsers keep it.
    const caller = found?.kind === "token" ? await admitAccess(found) : undefined;
    return caller && { caller };
  }

  async function findJwt(token: string): Promise<Found> {
    const { jwt } = config().gateway.auth;
    if (!jwt) return undefined;
    jwtDoor ??= import("./jwt-door.ts").then(({ createJwtDoor }) =>
      createJwtDoor({ ...parts, said: createLastWord(parts) }),
    );
    const caller = await (await jwtDoor).find(token, jwt);
    return caller && { caller };
  }

  async function findBearer(bearer: string, from: ShownFrom): Promise<Found> {
    if (bearer.length > longestShown) return undefined;
    const known = bearer.startsWith(accessTokenPrefix) ? await findToken(bearer) : undefined;
    const owner = known ?? (await findHomeToken(bearer, from));
    if (owner || !isJwtForm(bearer)) return owner;
    return findJwt(bearer);
  }

  /** If several credentials are shown, one decides: a token wins, even if the browser adds its session. */
  async function find(shown: Shown, from: ShownFrom): Promise<Found> {
    if (shown.device) return devices.find(shown.device, from);
    if (shown.bearer !== undefined) return findBearer(shown.bearer, from);
    if (shown.cookie === undefined) return undefined;
    const found = await browsers.find(shown.cookie);
    const caller = found && (await admitAccess(found, browsers.expiry()));
    return caller && { caller };
  }

  async function findHere(shown: Shown, from: ShownFrom): Promise<Found> {
    const found = await find(shown, from);
    return found && "caller" in found && !reachesSpace(found.caller, parts.workspaceId) ? undefined : found;
  }

  async function admit(shown: Shown, from: ShownFrom): Promise<Admission> {
    const found = await findHere(shown, from);
    if (found && "caller" in found) {
      again.set(found.caller, () => findHere(shown, from));
      return { type: "admitted", caller: found.caller };
    }
    if (!shown.device && isOpenTo(from)) {
      const caller = ownerCaller(tenantId, "open");
      again.set(caller, async () => (isOpenTo(from) ? { caller } : undefined));
      return { type: "admitted", caller };
    }
    if (found) return found.admission;
    if (shown.bearer === undefined && shown.cookie === undefined && !shown.device) {
      return { type: "nothing-shown" };
    }
    const counted = tries.wrong(from.address);
    return counted.ok ? { type: "refused" } : tooMany(counted.retryAfterSeconds);
  }

  /** Without authentication everybody on this machine is the owner; callers from elsewhere, or through a proxy, are not. */
  const isOpenTo = ({ address, isForwarded }: ShownFrom) =>
    config().gateway.auth.mode === "none" && isLoopback(address) && isForwarded !== true;

  return {
    ...browsers.sessions,
    ...passkeys,
    makeChallenge: devices.makeChallenge,
    bindingOf: bindings.inherit,
    admit,
    async isStillIn(caller) {
      const found = await again.get(caller)?.();
      return found !== undefined && "caller" in found && isSame(found.caller, caller);
    },
  };
}

const callerOf = (
  found: AccessRecord,
  { role, way, tenantId }: { role: GivableRole; way: WayIn; tenantId: string },
): Caller => ({ id: callerIdOf(found), name: found.name, role, way, tenantId, scope: found.scope });

const isSame = (one: Caller, other: Caller): boolean =>
  one.id === other.id && one.role === other.role && JSON.stringify(one.scope) === JSON.stringify(other.scope);

const isJwtForm = (text: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
