/** Requests to the gateway before anybody is signed in. */
import { deviceStatement } from "@pincer/sdk";
import type { OwnKey } from "./own-key.ts";
import { signInWords, type SignInWay, type Words } from "./sign-in-words.ts";

export type SignInAnswer =
  | { type: "in" }
  /** Somebody has to admit this browser; they compare the `code`. */
  | { type: "pending"; code: string }
  | { type: "refused"; words: Words; status: number };

/** What can be done here, as `/api/me` says. */
export interface Ways {
  isIn: boolean;
  asks: string;
  passkeys: { here: boolean; registered: boolean };
}

const none: Ways = { isIn: false, asks: "token", passkeys: { here: false, registered: false } };

export async function askWays(): Promise<Ways> {
  try {
    const answer = await fetch("/api/me");
    const me = (await answer.json()) as Partial<Ways> & { signedIn?: boolean };
    return { ...none, ...me, isIn: me.signedIn === true };
  } catch {
    return none;
  }
}

/** Never throws. */
export async function signInBy(way: SignInWay, proof: object): Promise<SignInAnswer> {
  const answer = await post("/api/sign-in", proof);
  if (answer?.status === 202) {
    const { code } = (await answer.json()) as { code: string };
    return { type: "pending", code };
  }
  if (answer?.ok) return { type: "in" };
  return refused(way, answer);
}

/** Asks the browser for a passkey, and signs in with it. Never throws. */
export async function signInByPasskey(): Promise<SignInAnswer> {
  const asked = await post("/api/sign-in/options", { for: "passkey" });
  if (!asked?.ok) return refused("passkey", asked);
  const { options } = (await asked.json()) as { options: never };
  const { startAuthentication } = await import("@simplewebauthn/browser");
  try {
    const answer = await startAuthentication({ optionsJSON: options });
    const { userHandle, ...response } = answer.response;
    const passkey = {
      ...answer,
      response: { ...response, ...(userHandle ? { userHandle } : {}) },
      clientExtensionResults: {},
    };
    return await signInBy("passkey", { passkey });
  } catch {
    // Cancelled, timed out, or no passkey here; browsers do not say which.
    return { type: "refused", words: { key: "sign-in.failed.passkey-stopped" }, status: 401 };
  }
}

/** Asks to be let in, once. Never throws. */
export async function knock(key: OwnKey, name: string): Promise<SignInAnswer> {
  const asked = await post("/api/sign-in/options", { for: "device" });
  if (!asked?.ok) return refused("device", asked);
  const { challenge, gatewayId } = (await asked.json()) as { challenge: string; gatewayId: string };
  const { publicKey } = key;
  const wants = "owner";
  const signature = await key.sign(deviceStatement({ gatewayId, challenge, publicKey, wants }));
  return signInBy("device", { device: { publicKey, signature, challenge, name, wants } });
}

function refused(way: SignInWay, answer: Response | undefined): SignInAnswer {
  const status = answer?.status ?? 0;
  return {
    type: "refused",
    words: signInWords(way, status, answer?.headers.get("retry-after") ?? null),
    status,
  };
}

/** Undefined where nobody answers. */
async function post(path: string, body: object): Promise<Response | undefined> {
  try {
    return await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    return undefined;
  }
}
