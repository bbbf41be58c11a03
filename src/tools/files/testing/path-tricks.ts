/** Paths that have escaped a workdir, or could, and what each of them means. */
import { writeFileSync } from "node:fs";
import type { PathStage } from "./path-stage.ts";

export type Verb =
  | "read"
  | "list"
  | "search"
  | "edit"
  | "patch"
  | "write"
  | "append"
  | "remove"
  | "moveFrom"
  | "moveTo";

export interface PathTrick {
  path: string | ((stage: PathStage) => string);
  /** A file or a directory that is there, a name that could be given to a new file, or nothing that may be used. */
  means: { file: string } | { directory: string } | { new: string } | "refused";
  set?(stage: PathStage): void;
  /** The path ends with a link, which can be removed whatever it leads to, and takes the name. */
  endsWithLink?: boolean;
  /** It ends with something that is neither: its name cannot be taken, nor can it be removed. */
  except?: Partial<Record<Verb, boolean>>;
  /** Cannot be said in a patch, which has one path on a line. */
  notInPatch?: boolean;
}

type Listed = [title: string, trick: PathTrick];

const refused = (...paths: string[]): Listed[] => paths.map((path) => [path, { path, means: "refused" }]);
const file = (means: string, ...paths: string[]): Listed[] =>
  paths.map((path) => [path, { path, means: { file: means } }]);
const directory = (means: string, ...paths: string[]): Listed[] =>
  paths.map((path) => [path, { path, means: { directory: means } }]);
/** Names like any other, whatever they remind of. */
const literal = (...paths: string[]): Listed[] =>
  paths.map((path) => [JSON.stringify(path), { path, means: { new: path } }]);

const link = (
  title: string,
  target: string | ((stage: PathStage) => string),
  trick: Partial<PathTrick> & Pick<PathTrick, "means">,
): Listed => [
  title,
  {
    path: "link",
    endsWithLink: (trick.path ?? "link") === "link",
    set: (stage) => stage.link(typeof target === "string" ? target : target(stage), "link"),
    ...trick,
  },
];
const linkOut = (title: string, target: string | ((stage: PathStage) => string), path = "link"): Listed =>
  link(title, target, { path, means: "refused" });

const longName = "n".repeat(255);

export const pathTricks: Listed[] = [
  // Dots.
  ...refused(
    "..",
    "../",
    "../..",
    "../outside.txt",
    "./../outside.txt",
    ".././outside.txt",
    "..//outside.txt",
    "sub/../../outside.txt",
    "sub/./../../outside.txt",
    "sub/deep/../../../outside.txt",
    "sub//..//..//outside.txt",
    "../work-other/x.txt",
    "../work/../outside.txt",
    "../home/secret.key",
    "../theirs/hello.txt",
    "../../../../../../../../etc/passwd",
    `${"../".repeat(60)}etc/passwd`,
    "sub/..//../theirs/sub/inner.txt",
    "hello.txt/../../outside.txt",
    "../work/hello.txt",
    "nothing/../../outside.txt",
    "sub/deep/x.txt/..",
    "../.",
    "./..",
  ),
  ...file(
    "hello.txt",
    "hello.txt",
    "./hello.txt",
    ".//hello.txt",
    "././hello.txt",
    "sub/../hello.txt",
    "sub/deep/../../hello.txt",
    "sub/./../hello.txt",
    ".///./hello.txt",
  ),
  ...file("sub/inner.txt", "sub/inner.txt", "sub//inner.txt", "sub/./inner.txt", "sub/deep/../inner.txt"),
  ...directory("", ".", "./", "./.", "sub/..", "sub/deep/../.."),
  ...directory("sub", "sub", "sub/", "sub//", "sub/.", "./sub", "sub/deep/..", "sub/deep/../."),
  // Slashes at the end, files where directories are wanted, and the other way round.
  ...refused("hello.txt/", "hello.txt/.", "hello.txt/x", "hello.txt/..", "hello.txt//", "sub/inner.txt/y/z"),
  // Absolute paths.
  ...refused("/", "//", "/etc/passwd", "//etc/passwd", "/proc/self/environ", "/proc/self/root/etc/passwd"),
  ...refused("/proc/self/fd/0", "/proc/1/root/etc/passwd", "/proc/self/cwd/LICENSE", "/sys/kernel/notes"),
  ...refused("/dev/null", "/dev/zero", "/dev/stdin", "/dev/fd/0", "/dev/tty", "/dev/shm/x", "/./etc/passwd"),
  ...refused("/..", "/../etc/passwd", "/root/.ssh/id_rsa", "/etc/shadow", "/tmp", "/run/docker.sock"),
  ["an absolute path inside", { path: ({ work }) => `${work}/hello.txt`, means: { file: "hello.txt" } }],
  ["the workdir itself", { path: ({ work }) => work, means: { directory: "" } }],
  ["the workdir itself with a slash", { path: ({ work }) => `${work}/`, means: { directory: "" } }],
  [
    "an absolute path with doubled slashes",
    { path: ({ work }) => `/${work}//sub//inner.txt`, means: { file: "sub/inner.txt" } },
  ],
  ["an absolute path out again", { path: ({ work }) => `${work}/../outside.txt`, means: "refused" }],
  [
    "an absolute path down and out",
    { path: ({ work }) => `${work}/sub/../../outside.txt`, means: "refused" },
  ],
  ["an absolute path to a sibling", { path: ({ work }) => `${work}-other/x.txt`, means: "refused" }],
  ["an absolute path to what holds the workdir", { path: ({ base }) => base, means: "refused" }],
  ["an absolute path to the home", { path: ({ base }) => `${base}/home/secret.key`, means: "refused" }],
  ["an absolute path to a new file", { path: ({ work }) => `${work}/new.txt`, means: { new: "new.txt" } }],
  [
    "an absolute path in other letters",
    { path: ({ work }) => `${work.toUpperCase()}/hello.txt`, means: "refused" },
  ],
  [
    "the workdir's path as a relative one",
    { path: ({ work }) => `.${work}/x`, means: { new: "" }, except: { write: true } },
  ],
  // Encodings that some layer might undo.
  ...literal(
    "%2e%2e",
    "%2e%2e/outside.txt",
    "..%2foutside.txt",
    "..%2Foutside.txt",
    "%2e%2e%2foutside.txt",
    "..%252foutside.txt",
    "%252e%252e/outside.txt",
    "..%c0%afoutside.txt",
    "%c0%ae%c0%ae/outside.txt",
    "..%00/outside.txt",
    "hello.txt%00.png",
    "..\\outside.txt",
    "..\\..\\outside.txt",
    "sub\\..\\..\\outside.txt",
    "C:\\Windows\\win.ini",
    "C:/Windows/win.ini",
    "\\\\server\\share\\x",
    "\\\\?\\C:\\x",
    "file:///etc/passwd",
    "file:hello.txt",
    "http://example.com/x",
    "&#46;&#46;/outside.txt",
    "\\u002e\\u002e/outside.txt",
    "\\x2e\\x2e/outside.txt",
    "..;/outside.txt",
    "....//outside.txt",
    "..../outside.txt",
    ".../outside.txt",
    "...",
    "..\u200b/outside.txt",
    "..;",
    ".. /outside.txt",
    " ../outside.txt",
  ),
  // Letters that look like dots and slashes.
  ...literal(
    "\u2024\u2024/outside.txt",
    "\uff0e\uff0e/outside.txt",
    "\u2025/outside.txt",
    "\u2026/outside.txt",
    "..\u2215outside.txt",
    "..\u2044outside.txt",
    "..\uff0foutside.txt",
    "..\u29f8outside.txt",
    "\u3002\u3002/outside.txt",
    "\ufe52\ufe52/outside.txt",
    "\u202e../outside.txt",
    "..\u202e/outside.txt",
    "\ufeff../outside.txt",
    "he\u0301llo.txt",
    "h\u00e9llo.txt",
    "\u0445ello.txt",
    "hello\uff0etxt",
    "ｈello.txt",
    "\u{1f980}",
    "你好.txt",
  ),
  // What a shell would make something of.
  ...literal(
    "~",
    "~/outside.txt",
    "~root/.ssh/id_rsa",
    "$HOME/x",
    "${HOME}/x",
    "$(id)",
    "`id`",
    "*",
    "*.txt",
    "?",
    "[a-z]",
    "{a,b}",
    "-rf",
    "--help",
    "-",
    "--",
    "a;b",
    "a|b",
    "a&b",
    "a>b",
    "a b",
    "a'b",
    'a"b',
    "#a",
    "!a",
    "@file",
    "=a",
    "con",
    "nul",
    "aux.txt",
    "hello.txt:stream",
    "hello.txt::$DATA",
    ".git-x/config",
    "proc/self/environ",
    "dev/null",
    "etc/passwd",
    "sys/x",
  ),
  // Case variants are other names.
  ...literal("HELLO.TXT", "Hello.txt", "SUB/inner.txt", "sub/INNER.TXT"),
  // Ends that some systems drop.
  ...literal("hello.txt.", "hello.txt..", "hello.txt...", "sub.", "sub./inner.txt", "sub../inner.txt"),
  ...[
    "hello.txt ",
    "sub /inner.txt ",
    "a\nb",
    "a\rb",
    "a\tb",
    "\n",
    "a\u0007b",
    "a\u001b[31mb",
    "a\u007fb",
    "a\u2028b",
    " ",
  ].map((path): Listed => [
    `the name ${JSON.stringify(path)}`,
    { path, means: { new: path }, notInPatch: true },
  ]),
  [
    "a name with a newline and a path after it",
    {
      path: "x\n../outside.txt",
      means: { new: "x\n../outside.txt" },
      notInPatch: true,
      set: ({ directory: make }) => make("x\n.."),
    },
  ],
  // Not to be used at all.
  ...["\0", "hello.txt\0", "hello.txt\0.png", "sub\0/../../outside.txt", "../outside.txt\0", ""].map(
    (path): Listed => [`the path ${JSON.stringify(path)}`, { path, means: "refused", notInPatch: true }],
  ),
  ["a name that is just short enough", { path: longName, means: { new: longName } }],
  ["a name that is too long", { path: `${longName}n`, means: "refused" }],
  ["a name that is too long in bytes", { path: "你".repeat(86), means: "refused" }],
  ["a path that is too long", { path: `${"sub/../".repeat(600)}hello.txt`, means: "refused" }],
  ["a path that is too deep", { path: "d/".repeat(300) + "x", means: "refused" }],
  [
    "a path that is too deep, though it is there",
    {
      path: `${"d/".repeat(300)}x`,
      means: "refused",
      set: (stage) => {
        stage.directory("d/".repeat(300));
        stage.file(`${"d/".repeat(300)}x`, "old\n");
      },
    },
  ],
  [
    "a long way that stays inside",
    { path: `${"sub/../".repeat(500)}hello.txt`, means: { file: "hello.txt" } },
  ],
  // Links that stay inside.
  link("a link to a file", "hello.txt", { means: { file: "hello.txt" } }),
  link("a link with dots", "./sub/../hello.txt", { means: { file: "hello.txt" } }),
  link("an absolute link inside", ({ work }) => `${work}/sub/inner.txt`, {
    means: { file: "sub/inner.txt" },
  }),
  link("a link to a directory", "sub", { means: { directory: "sub" } }),
  link("a link to a directory with a slash", "sub/", { means: { directory: "sub" } }),
  link("a file through a link to a directory", "sub", {
    path: "link/inner.txt",
    means: { file: "sub/inner.txt" },
  }),
  link("a way back through a link", "sub/deep", {
    path: "link/../inner.txt",
    means: { file: "sub/inner.txt" },
  }),
  link("a way back through a link to the top", "sub/deep", {
    path: "link/../../hello.txt",
    means: { file: "hello.txt" },
  }),
  link("a new file through a link", "sub", { path: "link/new.txt", means: { new: "sub/new.txt" } }),
  link("a link to what is not there yet", "sub/unborn.txt", { means: { new: "sub/unborn.txt" } }),
  link("a link to the workdir", ".", { path: "link/hello.txt", means: { file: "hello.txt" } }),
  link("a link to the workdir by its path", ({ work }) => work, {
    path: "link/hello.txt",
    means: { file: "hello.txt" },
  }),
  link("links through links", "sub", {
    path: "second/inner.txt",
    means: { file: "sub/inner.txt" },
    set: (stage) => {
      stage.link("sub", "link");
      stage.link("link", "second");
    },
  }),
  [
    "a chain of as many links as may be",
    {
      path: "l40",
      endsWithLink: true,
      means: { file: "hello.txt" },
      set: (stage) => {
        stage.link("hello.txt", "l1");
        for (let n = 2; n <= 40; n++) stage.link(`l${n - 1}`, `l${n}`);
      },
    },
  ],
  // Links that lead out, round, or nowhere.
  linkOut("a link to the file outside", "../outside.txt"),
  linkOut("a link to it by its whole path", ({ base }) => `${base}/outside.txt`),
  linkOut("a link to what holds the workdir", "..", "link/outside.txt"),
  linkOut("a link to what holds it, listed", ".."),
  linkOut("a link to it by its path", ({ base }) => base, "link/outside.txt"),
  linkOut("a link out and in again", "../work/hello.txt"),
  linkOut("a link out and in again by a directory", "../work", "link/hello.txt"),
  linkOut("a link to a sibling", ({ work }) => `${work}-other`, "link/x.txt"),
  linkOut("a link to the home", ({ base }) => `${base}/home`, "link/secret.key"),
  linkOut("a link to a file of the home", ({ base }) => `${base}/home/secret.key`),
  linkOut("a link to the root", "/", "link/etc/passwd"),
  linkOut("a link to /etc/passwd", "/etc/passwd"),
  linkOut("a link to where this process is rooted", "/proc/self/root", "link/etc/passwd"),
  linkOut("a link to where this process works", "/proc/self/cwd", "link/LICENSE"),
  linkOut("a link to what this process has open", "/proc/self/fd", "link/0"),
  linkOut("a link to an open descriptor", "/proc/self/fd/0"),
  linkOut("a link to the environment", "/proc/self/environ"),
  linkOut("a link to the memory", "/proc/self/mem"),
  linkOut("a link to nothing at all", "/dev/null"),
  linkOut("a link to zeros", "/dev/zero"),
  linkOut("a link to the terminal", "/dev/tty"),
  linkOut("a link to the input", "/dev/stdin"),
  linkOut("a link to what is not there outside", "../unborn.txt"),
  linkOut("a link to what is not there in a directory outside", ({ base }) => `${base}/theirs/unborn.txt`),
  linkOut("a new file through a link outside", ({ base }) => `${base}/theirs`, "link/new.txt"),
  linkOut("new directories through a link outside", ({ base }) => `${base}/theirs`, "link/new/deep/x.txt"),
  linkOut("a link to itself", "link"),
  linkOut("a link through itself", "link/x"),
  linkOut("a way back out of a link", "sub/deep", "link/../../../outside.txt"),
  linkOut("a link with too many dots", "sub/../../outside.txt"),
  linkOut("a link that goes on after a file", "hello.txt/../../outside.txt"),
  linkOut("below a link to a file", "hello.txt", "link/x"),
  linkOut("a link to a file with a slash after it", "hello.txt", "link/"),
  [
    "two links to each other",
    {
      path: "ping",
      endsWithLink: true,
      means: "refused",
      set: (stage) => {
        stage.link("pong", "ping");
        stage.link("ping", "pong");
      },
    },
  ],
  [
    "a chain of too many links",
    {
      path: "l41",
      endsWithLink: true,
      means: "refused",
      set: (stage) => {
        stage.link("hello.txt", "l1");
        for (let n = 2; n <= 41; n++) stage.link(`l${n - 1}`, `l${n}`);
      },
    },
  ],
  [
    "a chain that ends outside",
    {
      path: "third",
      endsWithLink: true,
      means: "refused",
      set: (stage) => {
        stage.link("../outside.txt", "first");
        stage.link("first", "second");
        stage.link("second", "third");
      },
    },
  ],
  [
    "a link in a directory that counts from where it lies",
    {
      path: "sub/deep/up",
      endsWithLink: true,
      means: { file: "sub/inner.txt" },
      set: (stage) => stage.link("../inner.txt", "sub/deep/up"),
    },
  ],
  [
    "a link in a directory that counts too far",
    {
      path: "sub/deep/up",
      endsWithLink: true,
      means: "refused",
      set: (stage) => stage.link("../../../outside.txt", "sub/deep/up"),
    },
  ],
  // What is no file.
  ["a pipe", { path: "pipe", means: "refused", set: ({ pipe }) => pipe("pipe") }],
  [
    "a pipe through a link",
    {
      path: "link",
      endsWithLink: true,
      means: "refused",
      set: (stage) => {
        stage.pipe("pipe");
        stage.link("pipe", "link");
      },
    },
  ],
  ["below a pipe", { path: "pipe/x", means: "refused", set: ({ pipe }) => pipe("pipe") }],
  // A file that has a second name outside: the name is the workdir's, what it shares is not to be changed.
  [
    "a hard link to a file outside",
    {
      path: "hard.txt",
      means: { file: "hard.txt" },
      except: { append: false },
      set: (stage) => {
        writeFileSync(`${stage.base}/shared.txt`, "old\n");
        stage.hardLink(`${stage.base}/shared.txt`, "hard.txt");
      },
    },
  ],
];
