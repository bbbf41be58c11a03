/**
 * The foundation of every command: the home, its config and its secrets. Opening it never fails because of the home's
 * content: a broken config gives safe mode, a locked secrets file a notice.
 */
import { asPincerError } from "@pincer/sdk";
import { ensureDir, locateHome, type Home } from "../../config/home.ts";
import { loadConfig, type LoadConfigRequest } from "../../config/load-config.ts";
import { sayProblem, type LoadedConfig } from "../../config/loaded-config.ts";
import { readRegularFile } from "../../config/read-regular-file.ts";
import type { Config } from "../../config/schema.ts";
import { openSecrets, type Secrets } from "../../config/secrets.ts";
import { failure } from "../../infra/failure.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";

export interface Foundation {
  home: Home;
  loaded: LoadedConfig;
  /** How it was loaded, for loading it again when it changes. */
  request: LoadConfigRequest;
  secrets: Secrets;
}

export interface FoundationParts {
  environment: Record<string, string | undefined>;
  redactor: Redactor;
  say: Say;
  /** Told which language the config wants. */
  speak?: (language: Config["language"]) => void;
  /** Tells the user, in words, what is not as it should be and does not stop the work. */
  notify: (message: string) => void;
  configProfile?: string | undefined;
  /** Values by config path, over everything that the config says. */
  flags?: Record<string, unknown> | undefined;
}

/** Throws PincerError `storage/unavailable` only when the home itself cannot be made. */
export async function openFoundation(parts: FoundationParts): Promise<Foundation> {
  const { environment, redactor, notify, say } = parts;
  const home = locateHome(environment);
  try {
    ensureDir(home.root);
  } catch (error) {
    throw failure(
      "storage/unavailable",
      "failure.no-home",
      { home: home.root, reason: (error as Error).message },
      { hint: "failure.no-home.hint", cause: error },
    );
  }
  const { configProfile: profile, flags } = parts;
  const request = { home, environment, profile, ...(flags ? { flags } : {}) };
  const loaded = await loadConfig(request);
  parts.speak?.(loaded.config.language);
  const secrets = openSecrets({ home, environment });
  try {
    for (const { name, value } of await secrets.values()) redactor.add(name, value);
  } catch (error) {
    // Users of a secret get the error again; the rest of the home works without.
    notify(asPincerError(error).message);
  }
  await hideKey(home, environment, redactor);
  await hideSecretsOf(loaded, redactor);
  for (const note of configNotes(loaded, say)) notify(note);
  return { home, loaded, request, secrets };
}

/** What is wrong with the config, and what holds instead; nothing where it is in force. */
export const configNotes = ({ problems, fallback }: LoadedConfig, say: Say): string[] => [
  ...problems.map((problem) => sayProblem(problem, say)),
  ...(fallback ? [say("safe-mode.next", { fallback: say(`safe-mode.${fallback}`) })] : []),
];

/** A secret that was written into the config by hand, or came by the environment, is as secret as a stored one. */
export async function hideSecretsOf(loaded: LoadedConfig, redactor: Redactor): Promise<void> {
  const fromEnvironment = Object.values(loaded.sources).some(({ variable }) => variable !== undefined);
  // Knowing which keys are secret takes the schema; without a file and variables there is nothing to look at.
  if (!loaded.hasText && !fromEnvironment) return;
  const { literalSecrets } = await import("../../config/mask-config.ts");
  for (const { name, value } of literalSecrets(loaded.config, loaded.secretPaths)) redactor.add(name, value);
}

/** The key to all the others. */
async function hideKey(
  home: Home,
  environment: Record<string, string | undefined>,
  redactor: Redactor,
): Promise<void> {
  const given = environment["PINCER_SECRET_KEY"];
  if (given) redactor.add("key", given);
  try {
    redactor.add("key", (await readRegularFile(home.secretKeyFile)).trim());
  } catch {
    // No key file, or none that we may read: then it cannot be told either.
  }
}
