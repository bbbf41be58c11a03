/** Devices that sign in with their key: those that the owner approved, and those that have to ask. */
import { randomBytes } from "node:crypto";
import { oneLine, shorten } from "../../infra/one-line.ts";
import type { Caller } from "../../policy/caller.ts";
import { givableRoles } from "../../policy/may-give.ts";
import { makePairingCode, showPairingCode } from "../../routing/pairing-code.ts";
import type { AccessRecord, AccessStore, DeviceRequest } from "../../storage/access/access.ts";
import { isProved } from "./device-proof.ts";
import { tooMany, type Found } from "./door-parts.ts";
import type { Admission, DeviceProof, ShownFrom } from "./doors.ts";
import type { SignInTries } from "./sign-in-tries.ts";

export interface DeviceDoor {
  find(proof: DeviceProof, from: ShownFrom): Promise<Found>;
  makeChallenge(): Promise<{ challenge: string; gatewayId: string }>;
}

export function createDeviceDoor({
  access,
  tries,
  callerOf,
  asked,
}: {
  access: Pick<AccessStore, "findDevice" | "askForDevice" | "gatewayId">;
  tries: SignInTries;
  callerOf(found: AccessRecord): Promise<Caller | undefined>;
  /** Told of a device that asks for the first time. */
  asked?: ((request: DeviceRequest) => void) | undefined;
}): DeviceDoor {
  let known: Promise<string> | undefined;
  const gatewayId = () => {
    known ??= access.gatewayId().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };

  /** An unknown device costs the owner attention, so it counts as a failed try of its sender. */
  async function ask(proof: DeviceProof, address: string): Promise<Admission> {
    const allowed = tries.look(address);
    if (!allowed.ok) return tooMany(allowed.retryAfterSeconds);
    const device = {
      publicKey: proof.publicKey,
      name: shorten(plainName(proof.name), 100) || "device",
      wants: proof.wants,
      address,
    };
    const outcome = await access.askForDevice(device, () => makePairingCode(randomBytes));
    if (outcome.type === "full") return tooMany(60);
    if (outcome.isNew) {
      tries.wrong(address);
      asked?.(outcome.request);
    }
    return { type: "pending", code: showPairingCode(outcome.request.code) };
  }

  return {
    makeChallenge: async () => ({
      challenge: randomBytes(32).toString("base64url"),
      gatewayId: await gatewayId(),
    }),
    async find(proof, from) {
      if (!givableRoles.includes(proof.wants)) return undefined;
      if (!isProved(proof, { gatewayId: await gatewayId(), challenge: from.challenge })) return undefined;
      const found = await access.findDevice(proof.publicKey);
      // What it is was decided when it was let in; what it wants today changes nothing.
      const caller = found && (await callerOf(found));
      return caller ? { caller } : { admission: await ask(proof, from.address) };
    },
  };
}

/** A stranger's word that the owner reads in a message of ours: it is no link, no code and no formatting there, and turns nothing around. */
const plainName = (name: string): string => oneLine(name.replaceAll(/[^\p{L}\p{M}\p{N} ,'’()-]+/gu, " "));
