/** Why a sign-in failed, in words that say what to do next. */
import type { TextKey } from "../../texts/texts.ts";

export type SignInWay = "code" | "secret" | "password" | "passkey" | "device";

export interface Words {
  key: TextKey;
  parameters?: Record<string, string | number>;
}

const wrong: Record<SignInWay, TextKey> = {
  code: "sign-in.failed.code",
  secret: "sign-in.failed.secret",
  password: "sign-in.failed.password",
  passkey: "sign-in.failed.passkey",
  device: "sign-in.failed.device",
};

/** `status` zero: nobody answered. */
export function signInWords(way: SignInWay, status: number, retryAfter: string | null): Words {
  if (status === 0) return { key: "sign-in.failed.away" };
  if (status === 401) return { key: wrong[way] };
  if (status === 429) {
    const seconds = Number(retryAfter);
    const given = Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : 60;
    return { key: "sign-in.failed.too-many", parameters: { seconds: given } };
  }
  if (status === 403)
    return { key: way === "passkey" ? "sign-in.failed.passkey-here" : "sign-in.failed.place" };
  if (status === 400 || status === 413) return { key: "sign-in.failed.form" };
  return { key: "sign-in.failed.gateway", parameters: { status } };
}
