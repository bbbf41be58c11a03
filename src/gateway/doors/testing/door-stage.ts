/** Doors over stores in memory, with a config and a token that a test can change. */
import { deviceStatement } from "@pincer/sdk";
import { generateKeyPairSync, sign } from "node:crypto";
import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import { defaultConfig } from "../../../config/default-config.ts";
import type { Config } from "../../../config/schema.ts";
import { createIds } from "../../../infra/ids.ts";
import { ownerCaller, type Caller } from "../../../policy/caller.ts";
import { createMemoryStores } from "../../../storage/memory-stores.ts";
import type { AccessStore, NewAccess } from "../../../storage/access/access.ts";
import { createOneTimeChallenges } from "../one-time-challenges.ts";
import { createOneTimeCodes } from "../one-time-codes.ts";
import { createSignInTries } from "../sign-in-tries.ts";
import { createDoors, type GatewayDoors } from "../create-doors.ts";
import type { DeviceProof } from "../doors.ts";
import { digestOf, makeSecret } from "../secret-digest.ts";

type Auth = Config["gateway"]["auth"];

export interface DoorStage {
  clock: HandClock;
  doors: GatewayDoors;
  access: AccessStore;
  /** Of another tenant in the same database. */
  otherAccess: AccessStore;
  errors: unknown[];
  home: { token: string; password: string | undefined };
  /** Who is no owner any more in their chat, as `channel:id`. */
  formerOwners: Set<string>;
  /** As it is now. */
  config(): { gateway: Config["gateway"] };
  /** Undefined: as if it were not in the config. */
  set(auth: { [Key in keyof Auth]?: Auth[Key] | undefined }): void;
  setTries(signInTries: number): void;
  setHosts(hosts: Pick<Config["gateway"], "allowedHosts" | "allowedOrigins">): void;
  putToken(more?: Partial<NewAccess>, into?: AccessStore): Promise<{ token: string; id: string }>;
  /** The cookie of a browser that came in by a code. */
  signIn(by?: Pick<Caller, "id" | "way">): Promise<string>;
}

export const here = { address: "127.0.0.1" };
export const away = { address: "203.0.113.9" };
export const owner = ownerCaller("acme", "socket");

export function createDoorStage(): DoorStage {
  const clock = createHandClock();
  const stores = createMemoryStores({ clock, ids: createIds(clock.now) });
  const access = stores.tenant("acme").access;
  const home: DoorStage["home"] = { token: "t".repeat(43), password: undefined };
  let gateway = { ...defaultConfig.gateway } as Config["gateway"];
  const errors: unknown[] = [];
  const formerOwners = new Set<string>();
  const doors = createDoors({
    access,
    homeSecrets: { token: async () => home.token, password: async () => home.password },
    passkeys: stores.tenant("acme").passkeys,
    codes: createOneTimeCodes({ clock }),
    challenges: createOneTimeChallenges({ clock }),
    tries: createSignInTries({ clock, perMinute: () => gateway.limits.signInTries }),
    config: () => ({ gateway }),
    clock,
    tenantId: "acme",
    workspaceId: "w_default",
    homeRoot: "/nowhere",
    isOwnerInChat: async (person) => !formerOwners.has(person),
    onError: (error) => errors.push(error),
  });
  return {
    clock,
    doors,
    access,
    otherAccess: stores.tenant("other").access,
    errors,
    home,
    formerOwners,
    config: () => ({ gateway }),
    set: (auth) => void (gateway = { ...gateway, auth: { ...gateway.auth, ...auth } as Auth }),
    setTries: (signInTries) => void (gateway = { ...gateway, limits: { ...gateway.limits, signInTries } }),
    setHosts: (hosts) => void (gateway = { ...gateway, ...hosts }),
    async putToken(more = {}, into = access) {
      const token = `pin_${makeSecret()}`;
      const outcome = await into.put({
        kind: "token",
        role: "developer",
        name: "laptop",
        scope: { type: "tenant" },
        way: "token",
        createdBy: "owner",
        expiresAt: null,
        secretDigest: digestOf(token),
        ...more,
      });
      if (outcome.type !== "stored") throw new Error(outcome.type);
      return { token, id: outcome.access.id };
    },
    async signIn(by = owner) {
      const { code } = await doors.makeCode({
        role: "owner",
        scope: { type: "tenant" },
        by: { ...owner, ...by },
      });
      const outcome = await doors.signIn({ code }, { ...here, name: "Firefox" });
      if (outcome.type !== "signed-in") throw new Error(outcome.type);
      return outcome.cookie;
    },
  };
}

export interface TestDevice {
  publicKey: string;
  prove(about: { challenge: string; gatewayId: string }, more?: Partial<DeviceProof>): DeviceProof;
}

export function createTestDevice(): TestDevice {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "jwk" }).x ?? "";
  return {
    publicKey: raw,
    prove({ challenge, gatewayId }, more = {}) {
      const wants = more.wants ?? "owner";
      const spelled = more.publicKey ?? raw;
      const statement = deviceStatement({ challenge, gatewayId, publicKey: spelled, wants });
      const signature = sign(null, Buffer.from(statement), privateKey).toString("base64url");
      return { publicKey: raw, signature, name: "phone", wants, ...more };
    },
  };
}
