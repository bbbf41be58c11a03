/** What might become of a command between the owner's yes and its start. Each says what it changes; whether anything is really different is not said here. */
import { copyFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programNames, writeProgram, type ExactStage, type ExecInput } from "./exact-stage.ts";

/** 0 ≤ number < 1, the same for the same seed. */
export type Random = () => number;

export interface Mutation {
  name: string;
  /** Of what is asked for. */
  input?(input: ExecInput, random: Random): ExecInput;
  /** Of the world; the answer takes it back. */
  world?(stage: ExactStage, random: Random): () => void;
  /** When it happens: left out, before the call is made again; `at-start` after everything was planned, `handed-over` once it is being started. */
  when?: "at-start" | "handed-over";
}

/** With the programs of the world that each runs. */
export const baseCommands: ReadonlyArray<readonly [command: string, ...runs: string[]]> = [
  ["build", "build"],
  ["build --release", "build"],
  ["build --release=fast 'a b'", "build"],
  ["deploy prod", "deploy"],
  ["check -q | build", "check", "build"],
  ["build && check; deploy", "build", "check", "deploy"],
  ["FOO=bar build", "build"],
  ["env FOO=bar build", "build"],
  ["sh -c 'build x'", "build"],
  ["timeout 5 build", "build"],
  ["find . -exec check {} +", "check"],
  ["echo $HOME > out.txt"],
  ["rm -rf sub/tmp"],
  ["ls -la sub"],
  ["cat <<E\nbuild\nE"],
  ["for x in a b; do build $x; done", "build"],
  ["build\ncheck", "build", "check"],
  ["echo $(deploy)", "deploy"],
  ["git -C sub status --short"],
  ['build "quoted $LANG"', "build"],
  ["echo привет, 你好"],
];

const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)] as Item;

const at = (text: string, random: Random): number => Math.floor(random() * (text.length + 1));

const insert = (text: string, part: string, random: Random): string => {
  const index = at(text, random);
  return text.slice(0, index) + part + text.slice(index);
};

const replaceOne = (text: string, pairs: Readonly<Record<string, string>>, random: Random): string => {
  const places = [...text].flatMap((letter, index) => (pairs[letter] ? [index] : []));
  if (places.length === 0) return text;
  const index = pick(places, random);
  const letters = [...text];
  letters[index] = pairs[letters[index] ?? ""] ?? "";
  return letters.join("");
};

const twins = { a: "а", e: "е", o: "о", c: "с", p: "р", x: "х", i: "і", s: "ѕ", d: "ԁ", h: "һ", u: "υ" };
const wide = Object.fromEntries(
  Array.from({ length: 94 }, (_, index) => [
    String.fromCharCode(33 + index),
    String.fromCharCode(0xff01 + index),
  ]),
);

const ofCommand = (name: string, change: (command: string, random: Random) => string): Mutation => ({
  name,
  input: (input, random) => ({ ...input, command: change(input.command, random) }),
});

const wrappers = [
  "env ",
  "busybox ",
  "nice ",
  "nohup ",
  "timeout 9 ",
  "command ",
  "exec ",
  "eval ",
  "sudo ",
  "xargs ",
  "setsid ",
  "time ",
  "env -i ",
  "LD_PRELOAD=x ",
];

const ofText: Mutation[] = [
  ofCommand("a wrapper", (command, random) => pick(wrappers, random) + command),
  ofCommand("a shell around it", (command) => `sh -c '${command.replaceAll("'", `'\\''`)}'`),
  ofCommand("a subshell", (command, random) =>
    pick([`(${command})`, `{ ${command}\n}`, `${command} &`, `$(${command})`], random),
  ),
  ofCommand("an option cut short", (command) => command.replace(/--(\w+)\w/, "--$1")),
  ofCommand("one more option", (command, random) =>
    pick([`${command} --compress-pro=x`, `${command} -o/etc/x`, `${command} --`], random),
  ),
  ofCommand("a wide letter", (command, random) => replaceOne(command, wide, random)),
  ofCommand("a twin letter", (command, random) => replaceOne(command, twins, random)),
  ofCommand("an unseen letter", (command, random) =>
    insert(command, pick(["\u200b", "\u202e", "\u2066", "\ufeff", "\u00ad", "\u200d"], random), random),
  ),
  ofCommand("another blank", (command, random) =>
    insert(command, pick([" ", "\t", "\n", "\r", "\r\n", "\v", "\u00a0", "\u2028", "\\\n"], random), random),
  ),
  ofCommand("other quotes", (command, random) =>
    insert(command, pick(["''", '""', "\\", "$''", "'", '"'], random), random),
  ),
  ofCommand(
    "something behind it",
    (command, random) =>
      command + pick(["; rm x", " || x", " $(x)", " # x", " > y", "\nrm x", " `x`", "\n", " "], random),
  ),
  ofCommand("a letter less", (command, random) => {
    const index = at(command, random);
    return command.slice(0, index) + command.slice(index + 1);
  }),
  ofCommand("a letter more", (command, random) =>
    insert(command, String.fromCharCode(32 + Math.floor(random() * 95)), random),
  ),
  ofCommand("composed otherwise", (command) => command.normalize("NFD")),
];

const ofTerms: Mutation[] = [
  { name: "nothing", input: (input) => ({ ...input }) },
  {
    name: "the same directory by another name",
    input: (input, random) => ({
      ...input,
      cwd: pick(["sub", "./sub", "sub/.", "other/../sub", "sub/"], random),
    }),
  },
  { name: "another directory", input: (input, random) => ({ ...input, cwd: pick([".", "other"], random) }) },
  { name: "the usual time said", input: (input) => ({ ...input, timeoutSec: 60 }) },
  {
    name: "another time",
    input: (input, random) => ({ ...input, timeoutSec: 61 + Math.floor(random() * 9) }),
  },
  { name: "no background said", input: (input) => ({ ...input, background: false }) },
  { name: "to the background", input: (input) => ({ ...input, background: true }) },
  { name: "leaving it after a while", input: (input) => ({ ...input, yieldMs: 1000 }) },
];

const swapDirectory =
  (put: (stage: ExactStage, sub: string) => void) =>
  (stage: ExactStage): (() => void) => {
    const sub = join(stage.workdir, "sub");
    renameSync(sub, join(stage.root, "was"));
    put(stage, sub);
    return () => {
      rmSync(sub, { recursive: true, force: true });
      renameSync(join(stage.root, "was"), sub);
    };
  };

const ofProgram =
  (change: (file: string) => void) =>
  (stage: ExactStage, random: Random): (() => void) => {
    const file = join(stage.second, pick(programNames, random));
    renameSync(file, join(stage.root, "kept"));
    copyFileSync(join(stage.root, "kept"), file);
    change(file);
    return () => renameSync(join(stage.root, "kept"), file);
  };

const ofDirectory: Mutation[] = [
  {
    name: "a link in the place of the directory",
    world: swapDirectory((stage, sub) => symlinkSync(join(stage.workdir, "other"), sub)),
  },
  { name: "another directory in its place", world: swapDirectory((_, sub) => mkdirSync(sub)) },
  {
    name: "a link to outside in its place",
    world: swapDirectory((_, sub) => symlinkSync("/etc", sub)),
  },
];

const ofFiles: Mutation[] = [
  {
    name: "the directory moved away and back",
    world(stage) {
      const sub = join(stage.workdir, "sub");
      renameSync(sub, join(stage.root, "away"));
      renameSync(join(stage.root, "away"), sub);
      return () => {};
    },
  },
  { name: "a program that says something else", world: ofProgram((file) => writeProgram(file, "two")) },
  {
    name: "another shell under its name",
    world(stage) {
      writeProgram(join(stage.root, "one-shell"), "else");
      return () => writeProgram(join(stage.root, "one-shell"), "one-shell");
    },
  },
  {
    name: "a program replaced by a link",
    world: ofProgram((file) => {
      rmSync(file);
      symlinkSync("/bin/true", file);
    }),
  },
  {
    name: "a program in front of it",
    world(stage, random) {
      const file = join(stage.first, pick(programNames, random));
      writeProgram(file, "shadow");
      return () => rmSync(file);
    },
  },
  {
    name: "a file in front of it that cannot be run",
    world(stage, random) {
      const file = join(stage.first, pick(programNames, random));
      writeFileSync(file, "no program", { mode: 0o600 });
      return () => rmSync(file);
    },
  },
  {
    name: "a program in the workdir of the same name",
    world(stage, random) {
      const file = join(stage.workdir, "other", pick(programNames, random));
      writeProgram(file, "workdir");
      return () => rmSync(file);
    },
  },
];

const ofSettings: Mutation[] = [
  {
    name: "another value of a variable",
    world: inWorld(({ environment }, random) => ({
      environment: { ...environment, [pick(["LANG", "LISTED"], random)]: "else" },
    })),
  },
  {
    name: "another value of a variable that programs do not see",
    world: inWorld(({ environment }) => ({ environment: { ...environment, UNLISTED: "else" } })),
  },
  {
    name: "one more variable",
    world: inWorld(({ settings }) => ({ settings: { ...settings, environment: ["LISTED", "UNLISTED"] } })),
  },
  {
    name: "a variable less",
    world: inWorld(({ settings }) => ({ settings: { ...settings, environment: [] } })),
  },
  {
    name: "another shell",
    world: inWorld(({ settings }, _, { root }) => ({
      settings: { ...settings, shell: join(root, "other-shell") },
    })),
  },
  {
    name: "another reason for having no wall",
    world: inWorld(() => ({ choice: { type: "unwalled", profile: "local", reason: "it broke" } })),
  },
  {
    name: "another usual time",
    world: inWorld(({ settings }) => ({ settings: { ...settings, timeoutSec: 5 } })),
  },
];

function inWorld(
  change: (
    world: ReturnType<ExactStage["world"]>,
    random: Random,
    stage: ExactStage,
  ) => Partial<ReturnType<ExactStage["world"]>>,
): NonNullable<Mutation["world"]> {
  return (stage, random) => {
    stage.change(change(stage.world(), random, stage));
    return () => stage.reset();
  };
}

const atMoment = (given: readonly Mutation[], when: "at-start" | "handed-over"): Mutation[] =>
  given.map((mutation) => ({ ...mutation, name: `${mutation.name} (${when})`, when }));

export const mutations: readonly Mutation[] = [
  ...ofText,
  ...ofTerms,
  ...ofDirectory,
  ...ofFiles,
  ...ofSettings,
  ...atMoment([...ofDirectory, ...ofFiles], "at-start"),
  ...atMoment(ofDirectory, "handed-over"),
];
