import { failure } from "../../infra/failure.ts";

/** What a key sends to a program on a terminal. Throws PincerError for one that there is none of. */
export function keySequence(name: string): string {
  const key = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_+]/g, "-")
    .replace(/^(?:c|control)-/, "ctrl-");
  const letter = /^ctrl-([a-z])$/.exec(key)?.[1];
  if (letter !== undefined) return String.fromCharCode(letter.charCodeAt(0) - 96);
  const found = keys.get(key);
  if (found === undefined)
    throw failure("usage/bad-argument", "programs.unknown-key", {
      key: name,
      keys: [...keys.keys(), "ctrl-a … ctrl-z"].join(", "),
    });
  return found;
}

const keys: ReadonlyMap<string, string> = new Map([
  ["enter", "\r"],
  ["return", "\r"],
  ["tab", "\t"],
  ["shift-tab", "\x1b[Z"],
  ["escape", "\x1b"],
  ["esc", "\x1b"],
  ["space", " "],
  ["backspace", "\x7f"],
  ["delete", "\x1b[3~"],
  ["insert", "\x1b[2~"],
  ["up", "\x1b[A"],
  ["down", "\x1b[B"],
  ["right", "\x1b[C"],
  ["left", "\x1b[D"],
  ["home", "\x1b[H"],
  ["end", "\x1b[F"],
  ["page-up", "\x1b[5~"],
  ["page-down", "\x1b[6~"],
  ["ctrl-space", "\0"],
  ["ctrl-\\", "\x1c"],
  ["ctrl-]", "\x1d"],
  ["f1", "\x1bOP"],
  ["f2", "\x1bOQ"],
  ["f3", "\x1bOR"],
  ["f4", "\x1bOS"],
  ["f5", "\x1b[15~"],
  ["f6", "\x1b[17~"],
  ["f7", "\x1b[18~"],
  ["f8", "\x1b[19~"],
  ["f9", "\x1b[20~"],
  ["f10", "\x1b[21~"],
  ["f11", "\x1b[23~"],
  ["f12", "\x1b[24~"],
]);
