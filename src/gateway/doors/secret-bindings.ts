/**
 * What access depends on: the home token, the password of the page or the identity provider with which its creator had
 * signed in. It is stored as a mark, and becomes invalid once that secret changes.
 */
import type { Caller } from "../../policy/caller.ts";
import type { DoorParts } from "./door-parts.ts";
import { isProviderMark, providerMark } from "./provider-people.ts";
import { markOf } from "./secret-digest.ts";

export interface SecretBindings {
  /** Of the secret as it is now. Throws `secret/…`. */
  make(to: "token" | "password"): Promise<string>;
  /** What a caller hangs on, whatever they hand on hangs on, too; null: on no secret. Throws `secret/…`, and what the storage does. */
  inherit(by: Caller): Promise<string | null>;
  /** Whether the secret is still the one that it was. Never throws: of one that cannot be read nobody knows. */
  isGood(boundTo: string): Promise<boolean>;
}

export function createSecretBindings({
  access,
  homeSecrets,
  config,
  onError,
}: Pick<DoorParts, "access" | "homeSecrets" | "config" | "onError">): SecretBindings {
  async function make(to: "token" | "password"): Promise<string> {
    const token = await homeSecrets.token();
    const secret = to === "token" ? token : ((await homeSecrets.password()) ?? "");
    // Under the home's token, so that a password cannot be guessed from what is stored.
    return `${to}:${markOf(token, secret)}`;
  }

  return {
    make,
    async inherit(by) {
      if (by.id === "owner") return by.way === "token" ? make("token") : null;
      const { jwt } = config().gateway.auth;
      if (by.way === "jwt" && jwt) return providerMark(jwt);
      const [, id] = /^(?:token|device|browser|node):(.+)$/.exec(by.id) ?? [];
      return (id && (await access.get(id))?.boundTo) ?? null;
    },
    async isGood(boundTo) {
      // Whether the config still has that provider is checked at the start of the line.
      if (isProviderMark(boundTo)) return true;
      const to = boundTo.startsWith("token:") ? "token" : "password";
      if (to === "password" && config().gateway.auth.mode !== "password") return false;
      try {
        return (await make(to)) === boundTo;
      } catch (error) {
        onError(error);
        return false;
      }
    },
  };
}
