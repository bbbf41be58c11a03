/**
 * Config keys that the environment can set: as PINCER_<NAME>, some under the bare name that people already use,
 * and for one profile as PROFILE_<PROFILE>_<NAME>. Readable without the schema, so that a start without a file stays light.
 */
import type { ConfigPath } from "@pincer/sdk";
import type { Wording } from "./in-both-languages.ts";

export type Environment = Record<string, string | undefined>;

export interface EnvironmentKey {
  name: string;
  path: ConfigPath;
  /** Other spellings besides PINCER_<name>. */
  aliases: string[];
  /** undefined: this is no value for the key. */
  read(text: string): unknown;
  expected: Wording;
}

interface SetByEnvironment {
  path: ConfigPath;
  value: unknown;
  variable: string;
}

export interface EnvironmentLayer {
  set: SetByEnvironment[];
  ignored: Array<{ path: ConfigPath; variable: string; expected: Wording }>;
}

type Kind = Pick<EnvironmentKey, "read" | "expected">;

const asText: Kind = {
  read: (text) => text,
  expected: { key: "config.expected.string", parameters: {} },
};
const asList: Kind = {
  read: (text) =>
    text
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  expected: { key: "config.expected.commas", parameters: {} },
};
const asCount = (minimum: number, maximum: number): Kind => ({
  read: (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return number >= minimum && number <= maximum ? number : undefined;
  },
  expected: { key: "config.expected.integer-between", parameters: { minimum, maximum } },
});
const asChoice = (...choices: string[]): Kind => ({
  read: (text) => (choices.includes(text) ? text : undefined),
  expected: { key: "config.expected.one-of", parameters: { values: choices.join(", ") } },
});
/** Locale names are welcome; what is not Chinese is English, as everywhere. */
const asLanguage: Kind = {
  read: (text) => (text === "auto" ? text : /^zh/i.test(text) ? "zh" : "en"),
  expected: { key: "config.expected.language", parameters: {} },
};

const largest = 999_999_999;
const key = (name: string, path: string, kind: Kind, aliases: string[] = []): EnvironmentKey => ({
  name,
  path: path.split("."),
  aliases,
  ...kind,
});

export const environmentKeys: EnvironmentKey[] = [
  key("EDITION", "edition", asChoice("personal", "enterprise")),
  key("LANG", "language", asLanguage),
  key("PORT", "gateway.port", asCount(0, 65_535)),
  key("BIND", "gateway.bind", asChoice("loopback", "lan", "tailnet", "auto", "custom")),
  key("GATEWAY_TOKEN", "gateway.auth.token", asText),
  key("MODEL", "agents.defaults.model.primary", asText),
  key("SYSTEM_PROMPT", "agents.defaults.systemPrompt", asText),
  key("WORKSPACE", "agents.defaults.workspace", asText),
  key("TOOL_MAX_STEPS", "agents.defaults.toolMaxSteps", asCount(1, largest)),
  key("MAX_CONTEXT_MESSAGES", "agents.defaults.maxContextMessages", asCount(1, largest), [
    "MAX_CONTEXT_MESSAGES",
  ]),
  key("LOG_LEVEL", "logging.level", asChoice("trace", "debug", "info", "warn", "error", "silent")),
  key("TELEGRAM_TOKEN", "channels.telegram.botToken", asText, ["TELEGRAM_TOKEN"]),
  key("TELEGRAM_ALLOW_FROM", "channels.telegram.allowFrom", asList, ["TELEGRAM_ALLOW_FROM"]),
];

export const readEnvironment = (environment: Environment): EnvironmentLayer =>
  readLayer(environment, ({ name, aliases }) => [`PINCER_${name}`, ...aliases]);

export const readProfileEnvironment = (environment: Environment, profile: string): EnvironmentLayer => {
  const prefix = `PROFILE_${profile.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}_`;
  return readLayer(environment, ({ name }) => [prefix + name]);
};

function readLayer(environment: Environment, spellings: (key: EnvironmentKey) => string[]): EnvironmentLayer {
  const layer: EnvironmentLayer = { set: [], ignored: [] };
  for (const known of environmentKeys) {
    const { path, expected } = known;
    // An empty variable counts as not set: shells leave them behind.
    const variable = spellings(known).find((name) => environment[name]);
    if (variable === undefined) continue;
    const value = known.read(environment[variable] ?? "");
    if (value === undefined) layer.ignored.push({ path, variable, expected });
    else layer.set.push({ path, value, variable });
  }
  return layer;
}
