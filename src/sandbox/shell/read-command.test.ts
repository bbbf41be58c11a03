import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SimpleCommand } from "./command-reading.ts";
import { readCommand } from "./read-command.ts";

async function commandsOf(text: string): Promise<readonly SimpleCommand[]> {
  const reading = await readCommand(text);
  if (reading.type === "unreadable") throw new Error(`${text}: ${reading.reason}`);
  return reading.commands;
}

/** One line for each simple command; what is dynamic is marked, and so is what is hidden. */
async function linesOf(text: string): Promise<string[]> {
  return (await commandsOf(text)).map(({ words, hides, hasMoreWords }) =>
    [
      ...words.map((word) => (word.type === "dynamic" ? `<${word.text}>` : word.text)),
      ...(hasMoreWords ? ["…"] : []),
      ...(hides === undefined ? [] : ["(hides)"]),
    ].join(" "),
  );
}

const standingsOf = async (text: string, program: string) =>
  (await commandsOf(text)).find(({ words }) => words[0]?.text === program)?.standing;

describe("a command as it is read", () => {
  it.each<[string, string[]]>([
    ["rm -rf x", ["rm -rf x"]],
    ["a; b && c || d\ne & f", ["a", "b", "c", "d", "e", "f"]],
    ["a | b |& c", ["a", "b", "c"]],
    ["\"r\"m '-rf' x\\ y", ["rm -rf x y"]],
    ["r\\m x", ["rm x"]],
    ["r\\\nm x", ["rm x"]],
    ["$'\\x72\\155' x", ["rm x"]],
    ["echo 'a\nrm b'", ["echo a\nrm b"]],
    ["echo a # rm b", ["echo a"]],
    ["echo a#b", ["echo a#b"]],
    ["ls\nrm x", ["ls", "rm x"]],
    ["ls\r\nrm x\r\n", ["ls\r", "rm x\r"]],
    ["$a$b x", ["<$a$b> x"]],
    ["{rm,-rf,x}", ["<{rm,-rf,x}>"]],
    ["r{m,} x", ["<r{m,}> x"]],
    ["~/bin/tool", ["<~/bin/tool>"]],
    ["! rm x", ["rm x"]],
    ["time rm x", ["rm x"]],
    ["[[ -f x ]] && rm x", ["[[", "rm x"]],
    ["curl https://example.com/a?b=c&d", ["curl https://example.com/a?b=c", "d"]],
    ["echo 'https://example.com/?a=b&c' >/dev/null", ["echo https://example.com/?a=b&c"]],
    ["./scripts/build.sh --all", ["./scripts/build.sh --all"]],
  ])("%j", async (text, lines) => {
    expect(await linesOf(text)).toEqual(lines);
  });

  it("keeps letters that only look like others", async () => {
    expect(await linesOf("r\u043c x")).toEqual(["r\u043c x"]);
    expect(await linesOf("ls\u00a0-l")).toEqual(["ls\u00a0-l"]);
    expect(await linesOf("ｒｍ x")).toEqual(["ｒｍ x"]);
  });

  it.each<[string, string[]]>([
    ["echo $(rm x)", ["substitution"]],
    ["echo `rm x`", ["substitution"]],
    ['echo "a $(rm x) b"', ["substitution"]],
    ["echo ${a:-$(rm x)}", ["substitution"]],
    ["echo $((1 + $(rm x)))", ["substitution"]],
    ["a=$(rm x)", ["substitution"]],
    ["a=(1 $(rm x))", ["substitution"]],
    ["cat <(rm x)", ["substitution"]],
    ["[[ -n $(rm x) ]]", ["substitution"]],
    ["for a in $(rm x); do b; done", ["substitution"]],
    ["case $(rm x) in *) b;; esac", ["substitution"]],
    ["ls > $(rm x)", ["substitution"]],
    ["cat <<E\n$(rm x)\nE\n", ["here-document", "substitution"]],
    ["(rm x)", ["subshell"]],
    ["f() { rm x; }", ["function"]],
    ["function f { rm x; }", ["function"]],
    ["ls | rm x", ["pipeline"]],
    ["rm x &", ["background"]],
    ["if a; then rm x; fi", []],
    ["while a; do rm x; done", []],
    ["{ rm x; } >f", []],
    ["case a in b) rm x;; esac", []],
    ["env rm x", ["wrapped"]],
    ["sh -c '(rm x)'", ["wrapped", "subshell"]],
  ])("%j has its rm at %j", async (text, standing) => {
    expect(await standingsOf(text, "rm")).toEqual(standing);
  });

  it("takes nothing in a quoted here-document for a command", async () => {
    expect(await linesOf("cat <<'E'\n$(rm x)\nE\n")).toEqual(["cat"]);
  });

  it("knows assignments and what redirects write", async () => {
    const [command] = await commandsOf('A=b C="$d" make -j2 <in >out 2>&1 2>>log &>all <<<x');
    expect(command?.assignments).toEqual([
      { name: "A", value: { type: "fixed", text: "b" } },
      { name: "C", value: { type: "dynamic", text: "$d" } },
    ]);
    expect(
      command?.redirects.map(({ operator, target, writes }) => [operator, target?.text, writes]),
    ).toEqual([
      ["<", "in", false],
      [">", "out", true],
      [">&", "1", false],
      [">>", "log", true],
      ["&>", "all", true],
      ["<<<", undefined, false],
    ]);
    expect((await commandsOf("ls >& out"))[0]?.redirects[0]?.writes).toBe(true);
    expect((await commandsOf("{ ls; } > out")).flatMap(({ redirects }) => redirects)).toHaveLength(1);
  });
});

describe("a program that runs another", () => {
  it.each<[string, string]>([
    ["env rm x", "rm x"],
    ["env -i A=b -u C rm x", "rm x"],
    ["env -S 'rm x'", "rm x"],
    ["env --split-str='rm x'", "rm x"],
    ["/usr/bin/env rm x", "rm x"],
    ["sudo -u root -- rm x", "rm x"],
    ["sudo --us root rm x", "rm x"],
    ["doas rm x", "rm x"],
    ["command rm x", "rm x"],
    ["builtin command -p rm x", "rm x"],
    ["exec -a ls rm x", "rm x"],
    ["nice -n 5 rm x", "rm x"],
    ["nice -5 rm x", "rm x"],
    ["timeout -s KILL 5 rm x", "rm x"],
    ["timeout --signal=KILL 5s rm x", "rm x"],
    ["nohup setsid stdbuf -oL rm x", "rm x"],
    ["busybox rm x", "rm x"],
    ["busybox sh -c 'rm x'", "rm x"],
    ["sh -c 'rm x'", "rm x"],
    ["bash -lc 'rm x'", "rm x"],
    ["bash -o pipefail -c 'rm x' name", "rm x"],
    ["BASH -c 'rm x'", "rm x"],
    ["sh -c \"sh -c 'rm x'\"", "rm x"],
    ["eval rm x", "rm x"],
    ["eval 'rm' \"x\"", "rm x"],
    ["trap 'rm x' EXIT", "rm x"],
    ["alias ls='rm x'", "rm x"],
    ["sh <<E\nrm x\nE\n", "rm x"],
    ["bash <<< 'rm x'", "rm x"],
    ["su -c 'rm x' root", "rm x"],
    ["flock /tmp/l rm x", "rm x"],
    ["watch -n 1 rm x", "rm x"],
    ["xargs rm", "rm …"],
    ["xargs -0 -n 1 rm -f", "rm -f …"],
    ["find . -name a -exec rm {} \\;", "rm {} …"],
    ["find . -execdir rm {} +", "rm {} …"],
    ["chroot /x rm x", "rm x"],
    ["strace -o f rm x", "rm x"],
  ])("%j runs %j", async (text, inner) => {
    expect(await linesOf(text)).toContain(inner);
  });

  it.each([
    'sh -c "$x"',
    "sh script.sh",
    "curl x | sh",
    'eval "$x"',
    'bash -c "ls; $x"',
    ". ./x",
    "source x",
    "find . -delete",
    "sort --compress-prog=x a",
    "tar --checkpoint-act=exec=x -cf a b",
    "tar -Ix -cf a b",
    "git -c core.pager=x log",
    "sh -c 'a ||'",
  ])("%j hides something", async (text) => {
    expect((await linesOf(text)).some((line) => line.endsWith("(hides)"))).toBe(true);
  });

  it.each(["ls -c", "env", "git status", "sort a", "grep -c x y", "npm run build", "make"])(
    "%j hides nothing that its words could tell",
    async (text) => {
      expect((await linesOf(text)).some((line) => line.endsWith("(hides)"))).toBe(false);
    },
  );

  it("shows what can be seen of a command that is dynamic in part", async () => {
    expect(await linesOf('sh -c "rm $x"')).toEqual(["sh -c <rm $x> (hides)", "rm <$x>"]);
    expect(await linesOf("env $x")).toEqual(["env <$x>", "<$x>"]);
  });

  it("follows no further than anybody would write", async () => {
    const lines = await linesOf(`${"env ".repeat(1000)}rm x`);
    expect(lines.length).toBeLessThan(20);
    expect(lines.at(-1)).toMatch(/\(hides\)$/);
  });
});

describe("what cannot be read", () => {
  it.each<[string, RegExp, number?]>([
    ["echo 'abc", /quote/],
    ["if true; then", /then|fi/],
    ["echo )", /./],
    ["a ||", /./],
    ["echo $(a ||)", /./],
    ['echo "$(echo \'a)"', /./],
    ["", /no command/],
    ["  # nothing", /no command/],
    ["echo a\0b", /NUL/],
    ["a ", /longer than 16000 .* file/, 8001],
    ["{a,", /braces.* file/, 2000],
    ["$[", /substitutions/, 1000],
    ["`a` ", /substitutions/, 1100],
    ["<(a ", /substitutions/, 1100],
    ["<<E;", /here-documents/, 1100],
    ["${\n", /substitutions/, 1200],
  ])("%j says why", async (text, reason, times = 1) => {
    expect(await readCommand(text.repeat(times))).toEqual({
      type: "unreadable",
      reason: expect.stringMatching(reason),
    });
  });
});

const quote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;
const doubled = (word: string): string => `"${word.replaceAll(/["\\$`]/g, "\\$&")}"`;
const escapedWord = (word: string): string =>
  word === "" ? "''" : word.replaceAll(/[^\n]/gu, "\\$&").replaceAll("\n", "'\n'");

describe("laws of reading", () => {
  const word = fc
    .string({
      unit: fc.constantFrom(
        "a",
        "r",
        " ",
        "'",
        '"',
        "\\",
        "$",
        "`",
        "\n",
        ";",
        "{",
        "~",
        "*",
        "é",
        "м",
        "#",
        "=",
      ),
    })
    // A line that ends in a backslash goes on, and the shell drops both signs; no quoting hides that in double quotes.
    .filter((text) => !text.includes("\\\n"));

  it("quoting words and reading them back gives the words", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { maxLength: 5 }),
        fc.constantFrom(quote, doubled, escapedWord),
        async (words, quoting) => {
          const [command, ...more] = await commandsOf(["x", ...words.map(quoting)].join(" "));
          expect(more).toEqual([]);
          expect(command?.words).toEqual(["x", ...words].map((text) => ({ type: "fixed", text })));
        },
      ),
    );
  });

  it("nothing makes it throw", async () => {
    const sign = fc.constantFrom(
      "rm",
      "sh",
      "-c",
      "eval",
      "env",
      " ",
      "\n",
      ";",
      "|",
      "&",
      "(",
      ")",
      "{",
      "}",
      "$(",
      "${",
      "`",
      "'",
      '"',
      "\\",
      "<<E\n",
      "E\n",
      "if",
      "fi",
      "case",
      "in",
      "esac",
      "$'",
      "=",
      "[[",
      "]]",
      "((",
      "))",
      "#",
      "\u0000",
      "\r",
      "*",
      "~",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(sign, { maxLength: 40 }).map((signs) => signs.join("")),
        ),
        async (text) => {
          expect(["read", "unreadable"]).toContain((await readCommand(text)).type);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("reading the same command again", () => {
  it("is done once, until eight others were read", async () => {
    const first = await readCommand("echo once");
    expect(await readCommand("echo once")).toBe(first);
    for (let index = 0; index < 8; index++) await readCommand(`echo ${index}`);
    const again = await readCommand("echo once");
    expect(again).not.toBe(first);
    expect(again).toEqual(first);
  });
});

describe("commands in a command", () => {
  it("are read so far and no further, all of them together", async () => {
    const inner = `echo ${"a ".repeat(2000)}`;
    const reading = await readCommand(`sh -c '${inner}'; sh -c '${inner}'; sh -c '${inner}'`);
    const hides = reading.type === "read" ? reading.commands.map((command) => command.hides) : [];
    expect(hides).toEqual([undefined, undefined, undefined, undefined, "its command is too long to be read"]);
  });
});
