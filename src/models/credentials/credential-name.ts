/** The names that people give to credentials, such as `anthropic:default` or `openai-work`. */
import { failure } from "../../infra/failure.ts";

export const isCredentialName = (name: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9._:@+/-]{0,127}$/.test(name);

/** What stands in the config or lies in the environment is called so. */
export const isReservedName = (name: string): boolean =>
  name === "none" || name === "environment" || name.startsWith("config:");

/** Throws `usage/bad-argument`. The message does not repeat a bad name: people paste the key itself there. */
export function requireCredentialName(name: string): void {
  if (!isCredentialName(name))
    throw failure("usage/bad-argument", "auth.bad-name", {}, { hint: "auth.bad-name.hint" });
  if (isReservedName(name))
    throw failure("usage/bad-argument", "auth.reserved-name", { name }, { hint: "auth.bad-name.hint" });
}
