/**
 * Challenges to sign: created here, valid once, for two minutes, and for one purpose. Open ones are not stored, so
 * nobody can crowd out others by requesting many; only used ones are remembered until they expire.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../infra/clock.ts";

export interface OneTimeChallenges {
  /** `purpose` is what it is for and for whom, each word by itself. */
  make(purpose: readonly string[]): string;
  /** Takes it, whatever happens next. False when it is none of ours, for another purpose, over, or was taken before. */
  take(challenge: string, purpose: readonly string[]): boolean;
}

const lifeMs = 2 * 60_000;
const nonceBytes = 16;
const timeBytes = 8;
/** More than these come back only from somebody who means no good. */
const mostTaken = 10_000;

export function createOneTimeChallenges({ clock }: { clock: Pick<Clock, "monotonic"> }): OneTimeChallenges {
  const key = randomBytes(32);
  const taken = new Map<string, number>();

  const sealOf = (head: Buffer, purpose: readonly string[]) =>
    createHmac("sha256", key).update(head).update(JSON.stringify(purpose)).digest();

  function clear(): void {
    for (const [challenge, untilMs] of taken) if (untilMs <= clock.monotonic()) taken.delete(challenge);
  }

  return {
    make(purpose) {
      const time = Buffer.alloc(timeBytes);
      time.writeBigUInt64BE(BigInt(clock.monotonic() + lifeMs));
      const head = Buffer.concat([randomBytes(nonceBytes), time]);
      return Buffer.concat([head, sealOf(head, purpose)]).toString("base64url");
    },
    take(challenge, purpose) {
      const bytes = Buffer.from(challenge, "base64url");
      if (bytes.toString("base64url") !== challenge || bytes.length !== nonceBytes + timeBytes + 32)
        return false;
      const head = bytes.subarray(0, nonceBytes + timeBytes);
      if (!timingSafeEqual(sealOf(head, purpose), bytes.subarray(nonceBytes + timeBytes))) return false;
      const untilMs = Number(head.readBigUInt64BE(nonceBytes));
      if (untilMs <= clock.monotonic()) return false;
      clear();
      if (taken.has(challenge) || taken.size >= mostTaken) return false;
      taken.set(challenge, untilMs);
      return true;
    },
  };
}
