/** How a device proves that it has its key: it signs a challenge of the gateway for this connection. */
import { deviceStatement } from "@pincer/sdk";
import { createPublicKey, verify } from "node:crypto";
import type { DeviceProof } from "./doors.ts";

/** Never throws, whatever is shown. */
export function isProved(
  { publicKey, signature, wants }: DeviceProof,
  about: { gatewayId: string; challenge: string | undefined },
): boolean {
  const { gatewayId, challenge } = about;
  if (challenge === undefined || challenge === "") return false;
  const key = exactBytes(publicKey, 32);
  const signed = exactBytes(signature, 64);
  if (!key || !signed) return false;
  try {
    const jwk = { kty: "OKP", crv: "Ed25519", x: publicKey };
    const statement = deviceStatement({ gatewayId, challenge, publicKey, wants });
    return verify(null, Buffer.from(statement), createPublicKey({ key: jwk, format: "jwk" }), signed);
  } catch {
    return false; // no key of this kind
  }
}

/** Undefined unless it is that many bytes in the one spelling that base64url has for them: one key is one device. */
function exactBytes(text: string, length: number): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.length === length && bytes.toString("base64url") === text ? bytes : undefined;
}
