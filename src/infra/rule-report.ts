/** What is said about a standing rule: how it was understood, and how to be rid of it. */
import type { RuleDenialView, RuleView } from "@pincer/sdk";
import type { Say } from "./texts.ts";

/** One line: enforced, by which tools, or a reminder. */
export function ruleState({ id, enforcement }: RuleView, say: Say): string {
  if (!enforcement) return say("rules.is-reminder", { id });
  const denials = [enforcement, ...(enforcement.also ?? [])];
  return say("rules.is-enforced", { id, denials: denialWords(denials, say) });
}

/** What may no longer be done, and by which tools. */
export const denialWords = (denials: readonly RuleDenialView[], say: Say): string =>
  denials
    .map(({ tools, match = [], deed }) => {
      const names = tools.map((name) => toolWords(name, say)).join(", ");
      if (deed) return say("rules.denies-deleting", { tools: names });
      if (match.length === 0) return say("rules.denies", { tools: names });
      return say("rules.denies-with", { tools: names, match: match.map((each) => `“${each}”`).join(", ") });
    })
    .join(say("rules.denies.next"));

/** What is forbidden, in short, for a table. */
export const ruleScope = ({ enforcement }: RuleView, say: Say): string =>
  enforcement
    ? [enforcement, ...(enforcement.also ?? [])]
        .map(({ tools, match = [], deed }) =>
          [
            ...(deed ? [say("rules.deleting")] : []),
            ...tools.map((name) => toolWords(name, say)),
            ...match,
          ].join(", "),
        )
        .join("; ")
    : "-";

const toolWords = (name: string, say: Say): string =>
  name === "effect:write" ? say("rules.tools-that-write") : name;

/** What is answered when one is set. `prefix` is that of commands in a chat; without one it was set at a terminal. */
export function ruleSet(
  { rule, added }: { rule: RuleView; added: boolean },
  say: Say,
  prefix?: string,
): string {
  const { id } = rule;
  return [
    ...(added ? [] : [say("rules.there-already")]),
    ruleState(rule, say),
    ...(rule.enforcement ? [] : [say("rules.tighten")]),
    ...(isAboutDeleting(rule) ? [say("rules.deleting.unseen")] : []),
    prefix === undefined ? say("rules.undo", { id }) : say("rules.chat.undo", { id, prefix }),
  ].join("\n");
}

const isAboutDeleting = ({ enforcement }: RuleView): boolean =>
  enforcement !== null && [enforcement, ...(enforcement.also ?? [])].some(({ deed }) => deed === "delete");

/** A line for each, as a chat shows them. */
export const ruleLines = (rules: readonly RuleView[], say: Say): string =>
  rules
    .map(({ id, text, enforcement }) =>
      say("rules.line", {
        id,
        text,
        state: say(enforcement ? "rules.state.enforced" : "rules.state.reminder"),
      }),
    )
    .join("\n");
