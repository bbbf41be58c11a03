/** The result of loading a config: always something to run with, and a list of problems. */
import type { ConfigPath } from "@pincer/sdk";
import type { Say } from "../infra/texts.ts";
import { inEnglish, type Wording } from "./in-both-languages.ts";
import type { Config } from "./schema.ts";

export interface LoadedConfig {
  config: Config;
  /** Where each value comes from, by path; what is not listed is a default. */
  sources: Record<string, ConfigSource>;
  problems: Problem[];
  /** `safe`: the file could not be used. */
  mode: "normal" | "safe";
  /** In safe mode: what is used instead of the file. */
  fallback: "last-good" | "defaults" | undefined;
  /** Whether there was a file that says anything. */
  hasText: boolean;
  profile: string | undefined;
  /** Paths that were filled from a secret variable: not to be shown either. */
  secretPaths: ConfigPath[];
  file: string;
  /** What the file looked like just before it was read; see `configStamp`. */
  stamp: string;
}

export interface ConfigSource {
  layer: "file" | "profile" | "environment" | "profile-environment" | "flag";
  /** The variable, where the layer is an environment. */
  variable?: string;
}

/** Something to tell the user. Never holds a value of the config but the name of an agent or a tool, so never a secret. */
export interface Problem {
  severity: "error" | "warning";
  type:
    | "unparsable"
    | "unreadable"
    | "bad-value"
    | "unlisted-value"
    | "unknown-key"
    | "repeated-key"
    | "old-spelling"
    /** Brought along from another assistant; what holds instead is said. */
    | "other-shape"
    | "newer-version"
    | "missing-variable"
    | "ignored-variable"
    | "ignored-flag"
    | "unknown-profile"
    | "missing-secret"
    | "not-kept";
  file?: string;
  line?: number;
  column?: number;
  key?: string;
  /** In English. */
  message: string;
  /** Where the message stands in the catalogue. */
  text: Wording;
}

/** A problem that says the text of `key`. */
export function problemOf(
  facts: Omit<Problem, "message" | "text">,
  key: Wording["key"],
  parameters: Wording["parameters"] = {},
): Problem {
  const text = { key, parameters };
  return { ...facts, message: inEnglish(text), text };
}

/** `file:line:column key message` in English, as editors and people read it. */
export const describeProblem = (problem: Problem): string => describe(problem, problem.message);

/** The same in the language of `say`. */
export const sayProblem = (problem: Problem, say: Say): string =>
  describe(problem, say(problem.text.key, problem.text.parameters));

/** What programs are told: the message without its place in the catalogue. */
export const plainProblem = ({ text: _text, ...plain }: Problem): Omit<Problem, "text"> => plain;

function describe({ file, line, column, key }: Problem, message: string): string {
  const where = [file, line, column].filter((part) => part !== undefined).join(":");
  return [where && `${where}:`, key && `${key}:`, message].filter(Boolean).join(" ");
}
