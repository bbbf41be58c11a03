/** Words as the shell will use them, as far as that is settled before it runs. */
import type { Assignment, CommandArgument, Word, WordPart } from "unbash";
import type { SeenWord } from "./command-reading.ts";

export function seeWord(word: Word): SeenWord {
  return { type: typeOf(word), text: word.value };
}

/** An argument that looks like an assignment is an argument all the same. */
export function seeArgument(argument: CommandArgument): SeenWord {
  if (argument.type === "Word") return seeWord(argument);
  const { type, text } = seeValue(argument);
  if (argument.index || argument.append) return { type: "dynamic", text: argument.text };
  return { type, text: `${argument.name}=${text}` };
}

export function seeValue({ value, text }: Assignment): SeenWord {
  return value.type === "Word" ? seeWord(value) : { type: "dynamic", text };
}

function typeOf(word: Word): SeenWord["type"] {
  const parts = word.parts ?? [];
  if (word.text.startsWith("~") || unquoted(word).some((text) => /[=:]~/.test(text))) return "dynamic";
  if (parts.every(isFixed)) return "fixed";
  return parts.every((part) => isFixed(part) || isPlainPattern(part)) ? "pattern" : "dynamic";
}

/** Where a `~` means somebody's home: at the beginning, and behind a colon or an equals sign. */
const unquoted = ({ text, parts }: Word): string[] =>
  parts ? parts.flatMap((part) => (part.type === "Literal" ? [part.text] : [])) : [text];

function isFixed(part: WordPart): boolean {
  if (part.type === "DoubleQuoted") return part.parts.every((child) => child.type === "Literal");
  return part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted";
}

const isPlainPattern = (part: WordPart): boolean =>
  part.type === "Glob" && (part.kind !== "bracket" || part.parts.every(isFixed));
