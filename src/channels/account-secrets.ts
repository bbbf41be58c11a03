import { asPincerError } from "@pincer/sdk";
import type { Secrets } from "../config/secrets.ts";
import type { AccountSettings } from "./accounts.ts";

/** The accounts with their secrets in place of the names that the config has for them. One that is missing breaks its account only. */
export async function withSecrets(
  accounts: readonly AccountSettings[],
  secrets: Pick<Secrets, "resolve">,
): Promise<AccountSettings[]> {
  return Promise.all(
    accounts.map(async (account) => {
      if (!account.enabled) return account;
      try {
        return { ...account, config: await resolveAll(account.config, secrets) };
      } catch (error) {
        return { ...account, problem: account.problem ?? asPincerError(error).message };
      }
    }),
  );
}

async function resolveAll(value: unknown, secrets: Pick<Secrets, "resolve">): Promise<unknown> {
  if (typeof value === "string") return value.startsWith("secret:") ? secrets.resolve(value) : value;
  if (Array.isArray(value)) return Promise.all(value.map((each) => resolveAll(each, secrets)));
  if (typeof value !== "object" || value === null) return value;
  const pairs = await Promise.all(
    Object.entries(value).map(async ([key, each]) => [key, await resolveAll(each, secrets)] as const),
  );
  return Object.fromEntries(pairs);
}
