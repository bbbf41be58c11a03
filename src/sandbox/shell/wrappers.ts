/**
 * Programs that run another program which their arguments name: `env`, `sudo`, `sh -c`, `xargs`, `busybox sh`. The table says how to find the
 * inner one. Long options count by their beginnings, as GNU programs read them.
 */
import type { SeenAssignment, SeenWord, SimpleCommand } from "./command-reading.ts";

/** What a program runs besides itself. */
export type Inner =
  | {
      type: "words";
      words: readonly SeenWord[];
      hasMoreWords: boolean;
      assignments: readonly SeenAssignment[];
    }
  /** For a shell to read; `isWhole` unless a part of it comes only when it runs. */
  | { type: "text"; text: string; isWhole: boolean }
  | { type: "hidden"; reason: string };

/** Nothing where it runs nothing but itself. `documents` are what it is given to read. */
export function innerCommands(
  { words, hasMoreWords }: Pick<SimpleCommand, "words" | "hasMoreWords">,
  documents: readonly string[],
): Inner[] {
  const [program] = words;
  if (program?.type !== "fixed") return [];
  const name = programName(program.text);
  const reach = afterOptions(words, wrappers[name] ?? {});
  if (shells.has(name)) return shellInner(reach, documents);
  if (boxes.has(name)) return run(words.slice(1), hasMoreWords);
  if (name === "eval") return [asText(words.slice(1))];
  if (name === "trap") return words[1] ? [asText([words[1]])] : [];
  if (name === "alias") return words.slice(1).map((word) => asText([afterSign(word)]));
  if (name === "." || name === "source") return [{ type: "hidden", reason: "it runs a file" }];
  if (name === "find") return findInner(words);
  const runner = runners[name];
  if (runner && words.slice(1).some((word) => isOneOf(word, runner)))
    return [{ type: "hidden", reason: `an option of ${name} makes it do more than its words say` }];
  const wrapper = wrappers[name];
  if (!wrapper) return [];
  const texts = reach.options.flatMap(({ name: option, value }) =>
    value && wrapper.texts?.some((each) => stands(option, each)) ? [asText([value])] : [],
  );
  if (wrapper.joins) return [...texts, ...(reach.rest.length > 0 ? [asText(reach.rest)] : [])];
  return [...texts, ...run(reach.rest, hasMoreWords || wrapper.addsWords === true, reach.assignments)];
}

/** The last part of a path, as every system finds it. */
export const programName = (text: string): string =>
  text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1).toLowerCase();

interface Wrapper {
  /** Letters of short options that take the next word. */
  letters?: string;
  /** Long options that take the next word. */
  names?: readonly string[];
  /** Options whose value is a command for a shell. */
  texts?: readonly string[];
  /** Words before the command. */
  operands?: number;
  /** `NAME=value` may stand before the command. */
  assigns?: true;
  /** It adds words of its own. */
  addsWords?: true;
  /** Its words together are a command for a shell. */
  joins?: true;
}

const shells = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash", "yash", "fish"]);
const boxes = new Set(["busybox", "toybox"]);

const shellOptions: Wrapper = { letters: "oO", names: ["rcfile", "init-file"] };
const wrappers: Record<string, Wrapper> = {
  ...Object.fromEntries([...shells].map((shell) => [shell, shellOptions])),
  command: {},
  builtin: {},
  exec: { letters: "a" },
  env: {
    letters: "uCSP",
    names: ["unset", "chdir", "split-string"],
    texts: ["S", "split-string"],
    assigns: true,
  },
  sudo: {
    letters: "ugpCDhRrtTU",
    names: [
      "user",
      "group",
      "prompt",
      "close-from",
      "chdir",
      "host",
      "chroot",
      "role",
      "type",
      "command-timeout",
    ],
    assigns: true,
  },
  doas: { letters: "uC" },
  su: { letters: "cgGsw", names: ["command", "group", "shell"], texts: ["c", "command"], operands: 99 },
  runuser: { letters: "cgGsu", names: ["command", "user", "group"], texts: ["c", "command"] },
  pkexec: { names: ["user"] },
  nice: { letters: "n", names: ["adjustment"] },
  ionice: { letters: "cnpPu", names: ["class", "classdata"] },
  chrt: { letters: "TPD", operands: 1 },
  taskset: { letters: "p", operands: 1 },
  timeout: { letters: "sk", names: ["signal", "kill-after"], operands: 1 },
  nohup: {},
  setsid: {},
  stdbuf: { letters: "ioe", names: ["input", "output", "error"] },
  time: { letters: "fo", names: ["format", "output"] },
  xargs: {
    letters: "aEdIiLnPs",
    names: [
      "arg-file",
      "delimiter",
      "eof",
      "replace",
      "max-lines",
      "max-args",
      "max-procs",
      "max-chars",
      "process-slot-var",
    ],
    addsWords: true,
  },
  parallel: { letters: "jNaIP", addsWords: true, joins: true },
  watch: { letters: "nq", names: ["interval"], joins: true },
  strace: { letters: "oepsuEaIPbO", names: ["output", "trace"] },
  ltrace: { letters: "oepsu" },
  unshare: { letters: "SGRw" },
  nsenter: { letters: "tSG" },
  chroot: { names: ["userspec", "groups"], operands: 1 },
  flock: { letters: "wcE", names: ["command", "timeout"], texts: ["c", "command"], operands: 1 },
  script: { letters: "cEoIOBTm", names: ["command"], texts: ["c", "command"], operands: 99 },
  setarch: { operands: 1 },
  caffeinate: { letters: "tw" },
  "ld.so": {},
  coproc: {},
};

/** Options by which programs that only read are made to run others, to take orders from a file, or to set what later words mean. */
const runners: Record<string, readonly string[]> = {
  sort: ["compress-program", "files0-from"],
  wc: ["files0-from"],
  du: ["files0-from"],
  file: ["files-from", "f"],
  split: ["filter"],
  curl: ["config", "K"],
  wget: ["config", "execute", "e", "input-file", "i", "use-askpass"],
  printf: ["v"],
  test: ["v"],
  "[": ["v"],
  tar: [
    "to-command",
    "checkpoint-action",
    "use-compress-program",
    "rsh-command",
    "info-script",
    "new-volume-script",
    "I",
    "F",
  ],
  git: [
    "c",
    "config-env",
    "exec-path",
    "upload-pack",
    "receive-pack",
    "open-files-in-pager",
    "O",
    "ext-diff",
  ],
  rg: ["pre", "hostname-bin"],
  rsync: ["rsh", "rsync-path", "e"],
  man: ["pager", "html", "P", "H"],
  ssh: ["o"],
  scp: ["o", "S"],
};

interface Reach {
  options: Array<{ name: string; value: SeenWord | undefined }>;
  assignments: SeenAssignment[];
  rest: readonly SeenWord[];
}

function afterOptions(
  words: readonly SeenWord[],
  { letters = "", names = [], operands = 0, assigns }: Wrapper,
): Reach {
  const options: Reach["options"] = [];
  const assignments: SeenAssignment[] = [];
  let at = 1;
  let left = operands;
  for (; at < words.length; at++) {
    const word = words[at];
    if (word?.type !== "fixed") break;
    const { text } = word;
    if (text === "--") {
      at += 1 + left;
      break;
    }
    if (text.startsWith("--")) {
      const [name = "", ...value] = text.slice(2).split("=");
      const isLong = names.some((each) => each.startsWith(name));
      if (value.length > 0) options.push({ name, value: fixed(value.join("=")) });
      else options.push({ name, value: isLong ? words[++at] : undefined });
    } else if (/^[-+]./.test(text)) at += shortOptions(text.slice(1), letters, words[at + 1], options);
    else if (assigns && /^\w+=/.test(text)) assignments.push(asAssignment(text));
    else if (left-- <= 0) break;
  }
  return { options, assignments, rest: words.slice(at) };
}

function asAssignment(text: string): SeenAssignment {
  const sign = text.indexOf("=");
  return { name: text.slice(0, sign), value: fixed(text.slice(sign + 1)) };
}

/** How many words more they took. */
function shortOptions(
  cluster: string,
  letters: string,
  next: SeenWord | undefined,
  options: Reach["options"],
): 0 | 1 {
  for (const [index, letter] of [...cluster].entries()) {
    if (!letters.includes(letter)) {
      options.push({ name: letter, value: undefined });
      continue;
    }
    const attached = [...cluster].slice(index + 1).join("");
    options.push({ name: letter, value: attached === "" ? next : fixed(attached) });
    return attached === "" ? 1 : 0;
  }
  return 0;
}

function shellInner({ options, rest }: Reach, documents: readonly string[]): Inner[] {
  const [first] = rest;
  if (options.some(({ name }) => stands(name, "c") || stands(name, "command")))
    return first ? [asText([first])] : [{ type: "hidden", reason: "its command cannot be seen" }];
  const isStandardInput = !first || options.some(({ name }) => name === "s");
  if (isStandardInput && documents.length > 0)
    return documents.map((text) => ({ type: "text", text, isWhole: !/[$`\\]/.test(text) }));
  return [{ type: "hidden", reason: first ? "it runs a file" : "it reads commands while it runs" }];
}

function findInner(words: readonly SeenWord[]): Inner[] {
  const inner: Inner[] = [];
  for (let at = 1; at < words.length; at++) {
    const { type, text } = words[at] ?? fixed("");
    if (type === "dynamic") continue;
    if (/^-(?:delete|fprint|fprintf|fls|fprint0)$/.test(text))
      inner.push({ type: "hidden", reason: `find ${text} changes files` });
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue;
    const end = words.findIndex((word, index) => index > at && (word.text === ";" || word.text === "+"));
    inner.push(...run(words.slice(at + 1, end < 0 ? undefined : end), true));
    if (end < 0) break;
    at = end;
  }
  return inner;
}

const run = (
  words: readonly SeenWord[],
  hasMoreWords: boolean,
  assignments: readonly SeenAssignment[] = [],
): Inner[] => (words.length === 0 ? [] : [{ type: "words", words, hasMoreWords, assignments }]);

const asText = (words: readonly SeenWord[]): Inner => ({
  type: "text",
  text: words.map(({ text }) => text).join(" "),
  isWhole: words.every(({ type }) => type === "fixed"),
});

const fixed = (text: string): SeenWord => ({ type: "fixed", text });

const afterSign = ({ type, text }: SeenWord): SeenWord => ({ type, text: text.slice(text.indexOf("=") + 1) });

/** Whether an option as written may be the one that is meant. */
const stands = (written: string, option: string): boolean =>
  option.length === 1 ? written === option : written.length > 1 && option.startsWith(written);

function isOneOf({ text }: SeenWord, options: readonly string[]): boolean {
  if (text.startsWith("--")) {
    const name = text.slice(2).split("=")[0] ?? "";
    return name !== "" && options.some((option) => option.length > 1 && option.startsWith(name));
  }
  return /^-./.test(text) && options.some((option) => option.length === 1 && text.includes(option));
}
