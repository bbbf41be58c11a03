/** `/undo` in a chat: the owner undoes what turns of this session changed in files. */
import { asPincerError } from "@pincer/sdk";
import { sayError } from "../infra/failure.ts";
import type { Say } from "../infra/texts.ts";
import { undoListWords, undoneWords } from "../infra/undo-words.ts";
import { fencedDiff, mostDiffChars } from "../gate/approvals/fenced-diff.ts";
import { answered, type Command, type CommandContext } from "./command.ts";
import type { SessionUndo } from "./session-undo.ts";

const undoCommandName = "undo";

export interface UndoCommandParts {
  say: Say;
  /** Left out where what turns change is not kept. */
  undo?: Pick<SessionUndo, "list" | "apply" | "diff" | "seen"> | undefined;
}

export const undoCommand: Command<UndoCommandParts> = {
  name: undoCommandName,
  aliases: [],
  group: "conversation",
  usage: "[list|diff|<turn>] [force]",
  help: "command.about.undo",
  access: "owner",
  refusal: "undo.owner-only",
  arguments: [{ name: "turn" }],
  run: async (parts, call) => answered(await runUndoCommand(parts, call, call.context)),
};

const mostListed = 10;
const force = "force";

/** What is answered, also why nothing was undone. Throws what disk and storage do. Safe to repeat: the same message undoes one turn. */
export async function runUndoCommand(
  { say, undo }: UndoCommandParts,
  { words, prefix }: { words: string; prefix: string },
  { person, session, input }: Pick<CommandContext, "person" | "session" | "input">,
): Promise<string> {
  if (person.role !== "owner") return say("undo.owner-only");
  if (!undo) return `${say("undo.off")}\n${say("undo.off.hint")}`;
  const given = words.split(/\s+/).filter(Boolean);
  try {
    if (/^(?:list|列表|列出)$/i.test(given[0] ?? "")) {
      const turns = await undo.list({ sessionKey: session.sessionKey, limit: mostListed });
      return turns.length === 0 ? say("undo.list.none") : undoListWords(turns, say);
    }
    if (/^(?:diff|差异)$/i.test(given[0] ?? ""))
      return await showDiff(undo, session.sessionKey, given[1], say);
    const turnId = given.find((word) => !isForce(word));
    const report = await undo.apply(session, { turnId, force: given.some(isForce), input });
    return undoneWords(report, say, { undo: `${prefix}${undoCommandName}`, force });
  } catch (error) {
    const refusal = asPincerError(error);
    if (refusal.domain !== "usage") throw error;
    const { message, hint } = sayError(refusal, say);
    return [message, hint].filter(Boolean).join("\n");
  }
}

/** Whatever the owner is shown in full counts as seen. */
async function showDiff(
  undo: Pick<SessionUndo, "diff" | "seen">,
  sessionKey: string,
  named: string | undefined,
  say: Say,
): Promise<string> {
  const { turnId, files, added, removed, text, isWhole } = await undo.diff(sessionKey, named);
  const isShown = isWhole && text.length <= mostDiffChars;
  if (isShown) await undo.seen(sessionKey, turnId);
  return [
    say("undo.diff", { turnId, files, added, removed }),
    fencedDiff(text),
    ...(isShown ? [] : [say("changes.not-whole")]),
  ].join("\n");
}

const isForce = (word: string): boolean => /^(?:force|--force|强制)$/i.test(word);
