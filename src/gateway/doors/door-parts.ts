/** What the doors are built from, and what each sign-in method returns. */
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Caller } from "../../policy/caller.ts";
import type { AccessStore, DeviceRequest } from "../../storage/access/access.ts";
import type { PasskeyStore } from "../../storage/access/passkeys.ts";
import type { Admission } from "./doors.ts";
import type { HomeSecrets } from "./home-secrets.ts";
import type { OneTimeChallenges } from "./one-time-challenges.ts";
import type { OneTimeCodes } from "./one-time-codes.ts";
import type { SignInTries } from "./sign-in-tries.ts";

export interface DoorParts {
  access: AccessStore;
  passkeys: PasskeyStore;
  homeSecrets: HomeSecrets;
  codes: OneTimeCodes;
  challenges: OneTimeChallenges;
  /** Where what is wrong is counted, for all ways in alike. */
  tries: SignInTries;
  /** As it is now. */
  config(): Pick<Config, "gateway">;
  clock: Clock;
  tenantId: string;
  /** The space that this gateway serves: callers confined to others are refused. */
  workspaceId: string;
  homeRoot: string;
  /** Whether somebody of a channel, as `channel:id`, is an owner now. */
  isOwnerInChat(person: string): Promise<boolean>;
  /** Told of a device that asks to be let in, once. */
  asked?(request: DeviceRequest): void;
  /** Told what went wrong here, which is nobody's fault outside. */
  onError(error: unknown): void;
}

/** A caller, or why there is none. */
export type Found = { caller: Caller } | { admission: Admission } | undefined;

export const tooMany = (retryAfterSeconds: number): TooMany => ({
  type: "too-many-tries",
  retryAfterSeconds,
});

export type TooMany = Extract<Admission, { type: "too-many-tries" }>;
