/** How a command gets a credential before it calls the API: logins, and credentials found on this machine. */
import { homedir } from "node:os";
import { join } from "node:path";
import { failure } from "../../infra/failure.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { hideSecret } from "../../storage/credentials/credential-secret.ts";
import { findKeysInEnvironment, type EnvironmentOffer } from "../../models/credentials/environment-keys.ts";
import { foreignPrograms, type ForeignProgram } from "../../models/credentials/foreign-logins.ts";
import { takesOnlyLogin, type LoginInteraction } from "../../models/credentials/oauth-flows.ts";

export type Login = (provider: string, interaction: LoginInteraction) => Promise<Record<string, unknown>>;

/**
 * Leads a person through the provider's own login; gives the secret part of the credential. Throws `usage/bad-argument` where there
 * is no such login, `model/failed` when it does not succeed, and the signal's reason when it aborts.
 */
export async function logIn(
  provider: string,
  interaction: LoginInteraction,
  login?: Login,
): Promise<Record<string, unknown>> {
  try {
    return await (login ?? (await usualLogin()))(provider, interaction);
  } catch (error) {
    interaction.signal.throwIfAborted();
    if ((error as { code?: string }).code === "usage/bad-argument") throw error;
    if ((error as { code?: string }).code === "EADDRINUSE")
      throw failure(
        "model/failed",
        "auth.login.port-taken",
        { provider },
        { hint: "auth.login.port-taken.hint" },
      );
    // Behind its first words an error of a login can hold what the provider answered with.
    const reason = (error as Error).message.split(/[:;{]/)[0]?.slice(0, 120) ?? "";
    throw failure(
      "model/failed",
      "auth.login.failed",
      { provider, reason },
      { hint: "auth.login.failed.hint" },
    );
  }
}

async function usualLogin(): Promise<Login> {
  const { createPiOAuth } = await import("../../models/pi/oauth.ts");
  return createPiOAuth().login;
}

/** Those that have a login of their own. */
export async function loginProviders(): Promise<readonly string[]> {
  const { createPiOAuth } = await import("../../models/pi/oauth.ts");
  return createPiOAuth().providers;
}

/** Throws `usage/bad-argument` for a provider that has a login and takes no keys. */
export function requireKeyTaken(provider: string): void {
  if (takesOnlyLogin(provider))
    throw failure("usage/bad-argument", "auth.login.only", { provider }, { hint: "auth.login.only.hint" });
}

/** Whether the provider's own login is the way, though nobody asked for it: it takes no keys, and none was given. */
export const leadsToLogin = (provider: string, given: { token?: boolean; keyStdin?: boolean }): boolean =>
  takesOnlyLogin(provider) && !given.token && !given.keyStdin;

type Environment = Readonly<Record<string, string | undefined>>;

/** Keys that lie in the environment, and the name under which each would be stored. From now on none of them is printed. */
export function environmentOffers(
  environment: Environment,
  redactor: Redactor,
): Array<EnvironmentOffer & { id: string }> {
  const offers = findKeysInEnvironment(environment).map((offer) => ({
    ...offer,
    id: `${offer.provider}:${offer.variable}`,
  }));
  for (const { id, secret } of offers) hideSecret(redactor, id, secret);
  return offers;
}

/** From now on nothing secret of what somebody entered, or got from a login, is printed. */
export const hideEntered = (redactor: Redactor, id: string, secret: Record<string, unknown>): void =>
  hideSecret(redactor, id, secret);

export const foreignProgramNames = Object.keys(foreignPrograms) as ForeignProgram[];

/** Where another program keeps its login. */
export const foreignLoginFile = (program: ForeignProgram, environment: Environment): string =>
  join(environment["HOME"] || homedir(), foreignPrograms[program].file);
