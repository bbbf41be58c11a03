/** The body of a sign-in or passkey request: exactly one proof, each of its parts bounded. */
import { accessRoles } from "@pincer/sdk";
import type { RegistrationResponseJSON } from "@simplewebauthn/server";
import { Type, type TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { HttpFailure, type HttpCall } from "../http/http-route.ts";
import type { SignInProof } from "./browser-sessions.ts";

const strict = { additionalProperties: false };
const secret = Type.String({ minLength: 1, maxLength: 1024 });
const bytes = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "^[A-Za-z0-9_-]+$" });
const credential = <Response extends TSchema>(response: Response) =>
  Type.Object(
    {
      id: bytes(1400),
      rawId: bytes(1400),
      type: Type.Literal("public-key"),
      response,
      clientExtensionResults: Type.Object({}),
      authenticatorAttachment: Type.Optional(Type.String({ maxLength: 40 })),
    },
    strict,
  );

const SignInBody = Type.Union([
  Type.Object({ code: secret }, strict),
  Type.Object({ password: secret }, strict),
  Type.Object({ token: secret }, strict),
  Type.Object(
    {
      passkey: credential(
        Type.Object(
          {
            clientDataJSON: bytes(4096),
            authenticatorData: bytes(4096),
            signature: bytes(2048),
            userHandle: Type.Optional(bytes(100)),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  Type.Object(
    {
      device: Type.Object(
        {
          publicKey: bytes(64),
          signature: bytes(128),
          challenge: bytes(128),
          name: Type.String({ maxLength: 200 }),
          wants: Type.Enum([...accessRoles]),
        },
        strict,
      ),
    },
    strict,
  ),
]);

const NewPasskeyBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    response: credential(
      Type.Object({
        clientDataJSON: bytes(4096),
        attestationObject: bytes(12_000),
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
      }),
    ),
  },
  strict,
);

const AskBody = Type.Object({ for: Type.Enum(["passkey", "device"]) }, strict);

const checks = new Map<TSchema, { Check(value: unknown): boolean }>();

/** A proof is short; a new passkey may bring a certificate. */
const mostBytes = { proof: 8192, passkey: 32_768 };

/** Throws HttpFailure, here and below. */
export const readProof = (call: HttpCall) =>
  readAs<SignInProof>(call, {
    schema: SignInBody,
    most: mostBytes.proof,
    expected: "Exactly one of code, passkey, password, token and device is expected.",
  });

export const readNewPasskey = (call: HttpCall) =>
  readAs<{ name: string; response: RegistrationResponseJSON }>(call, {
    schema: NewPasskeyBody,
    most: mostBytes.passkey,
    expected: "A name and what the browser answered are expected.",
  });

export const readAsk = (call: HttpCall) =>
  readAs<{ for: "passkey" | "device" }>(call, {
    schema: AskBody,
    most: mostBytes.proof,
    expected: 'What it is for is expected: "passkey" or "device".',
  });

async function readAs<Body>(
  call: HttpCall,
  { schema, most, expected }: { schema: TSchema; most: number; expected: string },
): Promise<Body> {
  refuseStrangers(call, most);
  const body = await call.json();
  const check = checks.get(schema) ?? Compile(schema);
  checks.set(schema, check);
  if (!check.Check(body)) throw new HttpFailure(400, "INVALID_REQUEST", expected);
  return body as Body;
}

/** Signing somebody in or out from another page is an attack; and a body of unknown length is not needed for it. */
export function refuseStrangers({ headers }: HttpCall, most = mostBytes.proof): void {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    throw new HttpFailure(403, "FORBIDDEN", "Only Pincer's own page may sign in and out.");
  }
  const length = headers["content-length"];
  const isChunked = headers["transfer-encoding"] !== undefined;
  if (isChunked || Number(length ?? 0) > most) {
    throw new HttpFailure(413, "INVALID_REQUEST", "The body is too large.");
  }
}
