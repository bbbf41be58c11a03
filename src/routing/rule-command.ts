/** `/rule` in a chat: the owner sets, sees and removes standing rules. */
import { asPincerError } from "@pincer/sdk";
import { sayError } from "../infra/failure.ts";
import { ruleLines, ruleSet } from "../infra/rule-report.ts";
import type { Say } from "../infra/texts.ts";
import type { Rulebook } from "../policy/rules/rulebook.ts";
import type { TurnPerson } from "../storage/turns/turns.ts";
import { answered, type Command } from "./command.ts";

export interface RuleCommandParts {
  say: Say;
  rulebook: Rulebook;
}

const ruled: Pick<Command<RuleCommandParts>, "aliases" | "group" | "access" | "refusal" | "run"> = {
  aliases: [],
  group: "gate",
  access: "owner",
  refusal: "rules.owner-only",
  run: async (parts, call) => answered(await runRuleCommand(parts, call, call.context.person)),
};

export const ruleCommands: ReadonlyArray<Command<RuleCommandParts>> = [
  {
    name: "rule",
    ...ruled,
    usage: "<words> | remove <number>",
    help: "command.about.rule",
    arguments: [{ name: "words" }],
  },
  { name: "rules", ...ruled, usage: "", help: "command.about.rules", arguments: [] },
];

/** Who knows `remove` says `add`, too. But "new files need a test" and 添加文件时… are rules. */
const addition = new RegExp(
  [
    "^add(?:\\s+(?:an?\\s+)?(?:new\\s+)?rule\\b)?(?:[:：\\s]+|$)",
    "^new(?:(?:\\s+rule)?\\s*[:：]\\s*|(?:\\s+rule)?$|\\s+(?:rule\\s+)?(?=(?:never|do|don['’]t|no|always|please|you|only)\\b))",
    "^(?:添加|新增|增加)(?:规则)?(?:[:：\\s]+|$|(?=[不禁严别绝切勿请]|永远|从现在))",
  ].join("|"),
  "iu",
);

/** What is answered. Throws what the storage does. Safe to repeat: the same words set one rule. */
export async function runRuleCommand(
  { say, rulebook }: RuleCommandParts,
  { words, prefix }: { words: string; prefix: string },
  person: Pick<TurnPerson, "role" | "id">,
): Promise<string> {
  if (person.role !== "owner") return say("rules.owner-only");
  try {
    if (/^(?:list|列表|列出)?$/i.test(words)) {
      const rules = await rulebook.list();
      return rules.length === 0 ? say("rules.chat.none", { prefix }) : ruleLines(rules, say);
    }
    const removal = /^(?:remove|delete|drop|删除|移除)(?:\s+#?(\S+))?$/i.exec(words);
    if (!removal) {
      const outcome = await rulebook.add({
        text: words.replace(addition, ""),
        agentId: null,
        setBy: person.id,
      });
      return ruleSet(outcome, say, prefix);
    }
    const id = Number(removal[1] ?? "");
    if (!Number.isSafeInteger(id) || id < 1) return say("rules.remove-which", { prefix });
    const { text } = await rulebook.remove(id, person.id);
    return say("rules.removed", { id, text });
  } catch (error) {
    const refusal = asPincerError(error);
    if (refusal.domain !== "usage" && refusal.domain !== "rule") throw error;
    return sayError(refusal, say).message;
  }
}
