/**
 * `/model`, `/think`, `/verbose`: settings of this session from the next message on, until it ends or they are changed
 * again.
 */
import { asPincerError } from "@pincer/sdk";
import { sayError } from "../infra/failure.ts";
import type { Say } from "../infra/texts.ts";
import { thinkingLevels } from "../models/model-record.ts";
import { answered, type Command, type CommandCall } from "./command.ts";
import type { SettingChange, SettingName, SettingStore } from "./session-settings.ts";

export interface SettingCommandParts {
  say: Say;
  settings: SettingStore;
  models: {
    /** What holds where the session has no wish of its own. */
    usual(agentId: string): { model: string; thinking: string };
    /** Those that the config names. */
    configured(agentId: string): string[];
    /** Throws PincerError, with what may have been meant, for one that cannot be asked. */
    check(agentId: string, name: string): Promise<void>;
  };
}

type Parts = SettingCommandParts;

const usual = "default";
const switches = ["on", "off"] as const;
const longestModelName = 200;

export const settingCommands: ReadonlyArray<Command<Parts>> = [
  {
    name: "model",
    aliases: ["models"],
    group: "answers",
    usage: `[name|${usual}]`,
    help: "command.about.model",
    // What answers is what it costs.
    access: "owner",
    arguments: [{ name: "name" }],
    run: async (parts, call) => answered(await model(parts, call)),
  },
  {
    name: "think",
    aliases: ["thinking"],
    group: "answers",
    usage: `[${[...thinkingLevels, usual].join("|")}]`,
    help: "command.about.think",
    access: "owner",
    arguments: [{ name: "level", choices: [...thinkingLevels, usual] }],
    run: async (parts, call) => answered(await think(parts, call)),
  },
  {
    name: "verbose",
    aliases: [],
    group: "answers",
    usage: `[${switches.join("|")}]`,
    help: "command.about.verbose",
    access: "owner-in-groups",
    arguments: [{ name: "switch", choices: switches }],
    run: async (parts, call) => answered(await verbose(parts, call)),
  },
];

async function model({ say, settings, models }: Parts, { words, context }: CommandCall): Promise<string> {
  const { session } = context;
  const { agentId } = session;
  const common = models.usual(agentId).model;
  if (words === "") {
    const { model: own } = await settings.read(session);
    const present =
      own === undefined
        ? say("command.setting.model.usual", { value: common })
        : say("command.setting.model", { value: own });
    const configured = models.configured(agentId).join(", ");
    return configured === ""
      ? present
      : `${present}\n${say("command.setting.model.list", { models: configured })}`;
  }
  if (isUsual(words)) {
    await settings.set(session, changeTo("model", null, context));
    return say("command.setting.model.cleared", { value: common });
  }
  const name = words.slice(0, longestModelName);
  try {
    await models.check(agentId, name);
  } catch (error) {
    const refusal = asPincerError(error);
    if (refusal.domain === "storage") throw error;
    const { message, hint } = sayError(refusal, say);
    const configured = models.configured(agentId).join(", ");
    const list = configured === "" ? undefined : say("command.setting.model.list", { models: configured });
    return [message, hint, list].filter(Boolean).join("\n");
  }
  await settings.set(session, changeTo("model", name, context));
  return say("command.setting.model.set", { value: name });
}

async function think({ say, settings, models }: Parts, { words, context }: CommandCall): Promise<string> {
  const { session } = context;
  const common = models.usual(session.agentId).thinking;
  if (words === "") {
    const { think: own } = await settings.read(session);
    return own === undefined
      ? say("command.setting.think.usual", { value: common })
      : say("command.setting.think", { value: own });
  }
  if (isUsual(words)) {
    await settings.set(session, changeTo("think", null, context));
    return say("command.setting.think.cleared", { value: common });
  }
  const level = thinkingLevels.find((each) => each === words.toLowerCase());
  if (!level) return noChoice(words, [...thinkingLevels, usual], say);
  await settings.set(session, changeTo("think", level, context));
  return say("command.setting.think.set", { value: level });
}

/** Without an argument it shows the setting: looking must not change anything. */
async function verbose({ say, settings }: Parts, { words, context }: CommandCall): Promise<string> {
  const { session } = context;
  if (words === "") {
    const { verbose: own } = await settings.read(session);
    return say(`command.setting.verbose.${own ?? "off"}`);
  }
  const wanted = switches.find((each) => each === words.toLowerCase());
  if (!wanted) return noChoice(words, switches, say);
  await settings.set(session, changeTo("verbose", wanted === "off" ? null : wanted, context));
  return say(`command.setting.verbose.${wanted}`);
}

const isUsual = (words: string): boolean => words.toLowerCase() === usual;

const changeTo = (
  name: SettingName,
  value: string | null,
  { person, input }: CommandCall["context"],
): SettingChange => ({ name, value, by: person.id, input });

const noChoice = (value: string, choices: readonly string[], say: Say): string =>
  say("command.setting.choices", { value, choices: choices.join(", ") });
