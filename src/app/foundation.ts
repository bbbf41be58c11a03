/**
 * What every command stands on: the home, its config and its secrets. Opening it never fails because of
 * what is in the home: a broken config gives safe mode, a locked secrets file a notice.
 */
import { asPincerError, PincerError } from "@pincer/sdk";
import { ensureDir, locateHome, type Home } from "../config/home.ts";
import { loadConfig, type LoadConfigRequest } from "../config/load-config.ts";
import { describeProblem, type LoadedConfig } from "../config/loaded-config.ts";
import type { Config } from "../config/schema.ts";
import { openSecrets, type Secrets } from "../config/secrets.ts";
import type { Redactor } from "../infra/redactor.ts";

export interface Foundation {
  home: Home;
  loaded: LoadedConfig;
  /** How it was loaded, for loading it again when it changes. */
  request: LoadConfigRequest;
  secrets: Secrets;
  /** What the user should know, in words. */
  notices: string[];
}

export interface FoundationParts {
  environment: Record<string, string | undefined>;
  redactor: Redactor;
  /** Told which language the config wants. */
  speak?: (language: Config["language"]) => void;
  /** Config values given as flags, by dotted path. */
  flags?: Record<string, unknown>;
  configProfile?: string;
}

/** Throws PincerError `storage/unavailable` only when the home itself cannot be made. */
export async function openFoundation(parts: FoundationParts): Promise<Foundation> {
  const { environment, redactor, flags, configProfile } = parts;
  const home = locateHome(environment);
  try {
    ensureDir(home.root);
  } catch (error) {
    throw new PincerError(
      "storage/unavailable",
      `The home ${home.root} cannot be made: ${(error as Error).message}`,
      {
        hint: "Set PINCER_HOME to a directory that you may write to.",
        cause: error,
      },
    );
  }
  const request = { home, environment, profile: configProfile, ...(flags ? { flags } : {}) };
  const loaded = await loadConfig(request);
  parts.speak?.(loaded.config.language);
  const secrets = openSecrets({ home, environment });
  const notices = loaded.problems.map(describeProblem);
  try {
    for (const { name, value } of await secrets.values()) redactor.add(name, value);
  } catch (error) {
    // Whoever needs a secret will be told again; the rest of the home works without.
    notices.push(asPincerError(error).message);
  }
  if (loaded.hasText) {
    // A secret that was written into the config by hand is as secret as a stored one.
    const { literalSecrets } = await import("../config/mask-config.ts");
    for (const { name, value } of literalSecrets(loaded.config, loaded.secretPaths))
      redactor.add(name, value);
  }
  return { home, loaded, request, secrets, notices };
}
