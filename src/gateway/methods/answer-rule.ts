/** Rules that the owner sets while talking at a terminal, through whatever API is open. */
import type { Say } from "../../infra/texts.ts";
import type { Rulebook } from "../../policy/rules/rulebook.ts";
import { runRuleCommand } from "../../routing/rule-command.ts";
import { ruleIn } from "../../routing/rule-words.ts";
import type { Api } from "./api.ts";

/** What is answered to `/rule …`, `/rules`, or a sentence that sets a rule; undefined for anything else. Throws PincerError. */
export async function answerRule(
  line: string,
  { open, say }: { open<Result>(work: (api: Api<"rules">) => Promise<Result>): Promise<Result>; say: Say },
): Promise<string | undefined> {
  const command = /^([,!/])rules?(?:\s+([\s\S]*))?$/i.exec(line.trim());
  const words = command ? (command[2] ?? "").trim() : ruleIn(line);
  if (words === undefined) return undefined;
  const owner = { role: "owner" as const, id: "cli:owner" };
  return open((api) =>
    runRuleCommand({ say, rulebook: overApi(api) }, { words, prefix: command?.[1] ?? "/" }, owner),
  );
}

const overApi = (api: Api<"rules">): Rulebook => ({
  add: ({ text }) => api.add({ text }),
  list: async () => (await api.list({})).rules,
  remove: async (id) => (await api.remove({ id })).removed,
});
