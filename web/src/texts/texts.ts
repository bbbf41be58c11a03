/** Every text of the page, in both languages. One file for each part of the page; this one combines them. */
import { accessTexts } from "./access.ts";
import { chatTexts } from "./chat.ts";
import { runsTexts } from "./runs.ts";
import { sessionsTexts } from "./sessions.ts";
import { shellTexts } from "./shell.ts";
import { signInTexts } from "./sign-in.ts";
import { usageTexts } from "./usage.ts";
import { approvalsTexts } from "./approvals.ts";
import { channelsTexts } from "./channels.ts";
import { healthTexts } from "./health.ts";
import { modelsTexts } from "./models.ts";
import { noticesTexts } from "./notices.ts";
import { welcomeTexts } from "./welcome.ts";
import { configTexts } from "./config.ts";
import { gateReasonTexts } from "../../../src/infra/texts/gate-reasons.ts";
import { changesTexts } from "../../../src/infra/texts/changes.ts";
import { dryRunTexts } from "../../../src/infra/texts/dry-run.ts";
import { grantedTexts } from "../../../src/infra/texts/granted.ts";

const texts = {
  ...gateReasonTexts,
  ...changesTexts,
  ...dryRunTexts,
  ...grantedTexts,
  ...configTexts,
  ...accessTexts,
  ...signInTexts,
  ...welcomeTexts,
  ...noticesTexts,
  ...modelsTexts,
  ...healthTexts,
  ...channelsTexts,
  ...approvalsTexts,
  ...chatTexts,
  ...runsTexts,
  ...sessionsTexts,
  ...shellTexts,
  ...usageTexts,
} as const satisfies Record<string, Text>;

interface Text {
  en: string;
  zh: string;
  /** The English words where `{count}` is 1. */
  one?: string;
}

export type Language = "en" | "zh";
export type TextKey = keyof typeof texts;
export type Say = (key: TextKey, parameters?: Readonly<Record<string, string | number>>) => string;

export const isTextKey = (key: string): key is TextKey => Object.hasOwn(texts, key);

/** What a key means in a language; `{name}` stands for a parameter. */
export const createSay =
  (language: Language): Say =>
  (key, parameters = {}) => {
    const text: Text = texts[key];
    const isOne = language === "en" && String(parameters["count"]) === "1";
    const words = (isOne && text.one) || text[language];
    return words.replace(/\{([a-zA-Z][a-zA-Z0-9]*)\}/g, (all, name: string) =>
      String(parameters[name] ?? all),
    );
  };
