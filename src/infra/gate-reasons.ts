/** Makes the reasons of the gate, and says them: in English for the model, in their language for people. */
import {
  grantedWords,
  reasonWords,
  type GateReason,
  type GrantedTurnView,
  type ReasonTexts,
} from "@pincer/sdk";
import { createSay, isTextKey, type Say } from "./texts.ts";
import type { gateReasonTexts } from "./texts/gate-reasons.ts";

type Texts = typeof gateReasonTexts;
type CodeOf<Key> = Key extends `gate.reason.${infer Code}` ? Code : never;
export type GateReasonCode = CodeOf<keyof Texts>;

type NamesIn<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type ValuesOf<Code extends GateReasonCode> = Record<NamesIn<Texts[`gate.reason.${Code}`]["en"]>, string>;

/** Takes exactly the values that the text of the code names. */
export const gateReason = <Code extends GateReasonCode>(
  code: Code,
  ...[values]: [keyof ValuesOf<Code>] extends [never] ? [] : [ValuesOf<Code>]
): GateReason => ({ code, values: { ...values } });

/** What a tool says in words of its own; they may hold anything that its arguments do. */
export const saidByTool = (said: string | readonly GateReason[]): readonly GateReason[] =>
  typeof said === "string" ? [gateReason("says", { words: said })] : said;

/** For the model, and for whoever has no table of texts. */
export const inEnglish = (reasons: readonly GateReason[]): string =>
  sayReasons(
    { reasons, reason: reasons.map(({ code }) => code).join("; ") },
    createSay("en"),
    (text) => text,
  );

/** `reason`: the English sentence, for what was stored without codes or with unknown ones. */
export function sayReasons(
  { reasons = [], reason }: { reasons?: readonly GateReason[] | undefined; reason: string },
  say: Say,
  quote: (text: string) => string,
): string {
  return reasonWords(reasons, reasonTexts(say, quote)) ?? quote(reason);
}

export const reasonTexts = (say: Say, quote: (text: string) => string): ReasonTexts => ({
  say: (key, values) => (isTextKey(key) ? say(key, values) : undefined),
  quote,
});

/** What was granted in a turn, a line for each grant; nothing where no call needed any. */
export function sayGranted(
  { planner, reason = "", grants, worded }: GrantedTurnView,
  say: Say,
  quote: (text: string) => string,
): string[] {
  return [
    ...(planner === "failed" ? [say("granted.planner.failed", { reason: quote(reason) })] : []),
    ...grants.map((grant) => grantedWords(grant, reasonTexts(say, quote))),
    ...(worded.length > 0 ? [say("granted.worded", { count: worded.length })] : []),
  ];
}
