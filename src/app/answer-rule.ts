/** Rules that the owner sets while talking at a terminal, through whatever desk is open. */
import type { Say } from "../infra/texts.ts";
import type { Rulebook } from "../policy/rules/rulebook.ts";
import { runRuleCommand } from "../routing/rule-command.ts";
import { ruleIn } from "../routing/rule-words.ts";
import type { Desk } from "./desks/desk.ts";

/** What is answered to `/rule …`, `/rules`, or a sentence that sets a rule; undefined for anything else. Throws PincerError. */
export async function answerRule(
  line: string,
  { open, say }: { open<Result>(work: (desk: Desk<"rules">) => Promise<Result>): Promise<Result>; say: Say },
): Promise<string | undefined> {
  const command = /^([,!/])rules?(?:\s+([\s\S]*))?$/i.exec(line.trim());
  const words = command ? (command[2] ?? "").trim() : ruleIn(line);
  if (words === undefined) return undefined;
  const owner = { role: "owner" as const, id: "cli:owner" };
  return open((desk) =>
    runRuleCommand({ say, rulebook: overDesk(desk) }, { words, prefix: command?.[1] ?? "/" }, owner),
  );
}

const overDesk = (desk: Desk<"rules">): Rulebook => ({
  add: ({ text }) => desk.add({ text }),
  list: async () => (await desk.list({})).rules,
  remove: async (id) => (await desk.remove({ id })).removed,
});
