/**
 * Whether a call deletes something, for rules that forbid deleting and nothing else. It errs on the side of the rule: a command whose
 * program is known only at run time, or that cannot be read, counts as one that deletes. What a program does by itself is invisible here.
 */
import type { SimpleCommand } from "../../sandbox/shell/command-reading.ts";
import type { CallFacts } from "./argument-match.ts";

type DeletingCall = Pick<CallFacts, "arguments" | "isProgram" | "commands"> & {
  /** Everything that the tool is called. */
  names?: readonly string[] | undefined;
};

export function deletes({ arguments: given, isProgram, commands, names = [] }: DeletingCall): boolean {
  const fields = Object.entries(typeof given === "object" && given !== null ? given : {});
  const texts = fields.flatMap(([, value]) => (typeof value === "string" ? [value] : []));
  if (isProgram) {
    if (texts.some((text) => deletingCode.test(text))) return true;
    const isCommand = fields.some(([name, value]) => isScript(name) && typeof value === "string");
    return commands ? commands.some(commandDeletes) : isCommand;
  }
  const isAction = fields.some(([name, value]) => isChoice(name) && deletingWord.test(String(value)));
  return isAction || names.some((name) => deletingName.test(name)) || texts.some(isDeletingPatch);
}

const isScript = (name: string): boolean => name === "command" || name === "text";
const isChoice = (name: string): boolean => /^(?:action|operation|op|mode|method)$/i.test(name);
const deletingWord = /^(?:delete|remove|unlink|erase|trash|rm)$/i;
const deletingName = /(?:^|[._-])(?:delete|remove|unlink|erase|trash|rm)(?:$|[._-])/i;
const isDeletingPatch = (text: string): boolean => /^\s*\*\*\* Delete File\b/im.test(text);

/** How programs that are written into a command delete. */
const deletingCode =
  /\bos\.(?:remove|unlink|rmdir|removedirs)\b|\brmtree\b|\b(?:rm|rmdir|unlink)(?:Sync)?\s*\(|\bunlink\b|\bFileUtils\.rm|\bFile\.delete\b|\bRemove-Item\b/;

const programs: ReadonlySet<string> = new Set(
  "rm rmdir unlink shred srm wipe trash trash-put rimraf del erase deltree".split(" "),
);

/** Programs that delete where one of their words is this. */
const deletingWords: ReadonlyMap<string, RegExp> = new Map([
  ["git", /^(?:clean|rm)$/],
  ["find", /^-delete$/],
  ["rsync", /^--(?:del|delete(?:-.*)?|remove-source-files)$/],
  ["tar", /^--remove-files$/],
  ["gio", /^(?:trash|remove)$/],
]);

function commandDeletes({ words, hides }: SimpleCommand): boolean {
  const [first, ...rest] = words;
  if (hides !== undefined) return true;
  if (!first) return false;
  if (first.type !== "fixed") return true;
  const program = first.text.split(/[/\\]/).at(-1)?.toLowerCase() ?? "";
  const telling = deletingWords.get(program);
  return programs.has(program) || (telling !== undefined && rest.some(({ text }) => telling.test(text)));
}
