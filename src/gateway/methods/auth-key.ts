import { failure } from "../../infra/failure.ts";
import type { CredentialSecret } from "../../storage/credentials/credential-secret.ts";

/**
 * The secret with its key or token as it can be sent: without white space around it. Throws `usage/bad-argument` for what no header takes; the
 * message does not repeat it.
 */
export function sendableSecret(id: string, secret: CredentialSecret): CredentialSecret {
  const fixed = { ...secret };
  for (const field of ["key", "token"]) {
    const value = secret[field];
    if (typeof value !== "string") continue;
    const trimmed = value.trim();
    const fault = faultOf(trimmed);
    if (fault)
      throw failure(
        "usage/bad-argument",
        `auth.bad-key.${fault}`,
        { name: id },
        { hint: "auth.bad-key.hint" },
      );
    fixed[field] = trimmed;
  }
  return fixed;
}

function faultOf(value: string): "space" | "control" | "foreign" | undefined {
  if (/[\t\n\v\f\r ]/.test(value)) return "space";
  if (/\p{Cc}/u.test(value)) return "control";
  return /^[\x21-\x7e]*$/.test(value) ? undefined : "foreign";
}
