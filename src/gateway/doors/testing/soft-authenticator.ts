/** A device with a passkey, in software: it signs what a page passes to it, and lies if a test asks for it. */
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface Lies {
  /** What the page says it is. */
  origin?: string;
  /** The name that the device was asked for. */
  rpId?: string;
  challenge?: string;
  counter?: number;
  /** The device did not make sure of its owner. */
  isUnverified?: boolean;
  type?: string;
}

export interface SoftAuthenticator {
  credentialId: string;
  create(options: PublicKeyCredentialCreationOptionsJSON, lies?: Lies): RegistrationResponseJSON;
  sign(options: PublicKeyCredentialRequestOptionsJSON, lies?: Lies): AuthenticationResponseJSON;
}

const flags = { present: 0x01, verified: 0x04, attested: 0x40 };
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64url");

export function createSoftAuthenticator(usualOrigin = "http://localhost:18650"): SoftAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(32);
  let used = 0;

  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? usualOrigin,
        crossOrigin: false,
      }),
    );

  function authenticatorData(rpId: string, lies: Lies, attested?: Buffer): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lies.counter ?? ++used);
    const verified = lies.isUnverified ? 0 : flags.verified;
    const flag = flags.present | verified | (attested ? flags.attested : 0);
    const rpIdHash = createHash("sha256")
      .update(lies.rpId ?? rpId)
      .digest();
    return Buffer.concat([rpIdHash, Buffer.from([flag]), counter, attested ?? Buffer.alloc(0)]);
  }

  /** The key as CTAP2 has it: EC2, ES256, P-256. */
  function attestedKey(): Buffer {
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, "base64url"))],
        [-3, new Uint8Array(Buffer.from(y, "base64url"))],
      ]),
    );
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    return Buffer.concat([Buffer.alloc(16), length, id, key]);
  }

  const named = {
    id: base64(id),
    rawId: base64(id),
    type: "public-key",
    clientExtensionResults: {},
  } as const;
  return {
    credentialId: base64(id),
    create(options, lies = {}) {
      const authData = authenticatorData(options.rp.id ?? "", lies, attestedKey());
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authData)],
      ]);
      const encoded = isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0]);
      return {
        ...named,
        response: {
          clientDataJSON: base64(clientData("webauthn.create", options.challenge, lies)),
          attestationObject: base64(encoded),
          transports: ["internal"],
        },
      };
    },
    sign(options, lies = {}) {
      const authData = authenticatorData(options.rpId ?? "", lies);
      const said = clientData("webauthn.get", options.challenge, lies);
      const signed = Buffer.concat([authData, createHash("sha256").update(said).digest()]);
      return {
        ...named,
        response: {
          clientDataJSON: base64(said),
          authenticatorData: base64(authData),
          signature: base64(sign("sha256", signed, privateKey)),
        },
      };
    },
  };
}
