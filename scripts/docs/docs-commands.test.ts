/** What the documentation tells people to type is there: every command with its flags, every key of the config, every config that is shown. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { Marked, type Token, type Tokens } from "marked";
import { beforeAll, describe, expect, it } from "vitest";
import { checkConfig } from "../../src/config/check-config.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { parsePath } from "../../src/config/parse-path.ts";
import { configShape } from "../../src/config/schema.ts";
import { createFullProgram } from "../full-program.ts";
import { filesIn, root } from "./files-in.ts";

/** Made from the code itself, or about the past. */
const notRead = /^docs\/(commands\.md|protocol\.md|requirements\.md|decisions\/)/;
const pages = ["README.md", ...filesIn("docs").filter((path) => path.endsWith(".md") && !notRead.test(path))];

interface Found {
  page: string;
  language: string;
  text: string;
}

const codes: Found[] = pages.flatMap((page) => {
  const found: Found[] = [];
  const tokens = new Marked().lexer(readFileSync(join(root, page), "utf8"));
  new Marked().walkTokens(tokens, (token: Token) => {
    if (token.type === "code") {
      const { lang = "", text } = token as Tokens.Code;
      found.push({ page, language: lang, text });
    } else if (token.type === "codespan")
      found.push({ page, language: "span", text: (token as Tokens.Codespan).text });
  });
  return found;
});

/** Every line that begins with the program's name, without what stands before and behind it. */
const commandLines = codes
  .filter(({ language }) => ["", "sh", "span", "bash"].includes(language))
  .flatMap(({ page, text }) =>
    text
      .replaceAll(/\\\n\s*/g, "")
      .split("\n")
      .flatMap((line) => {
        const typed = /(?:^|[|(;&] ?|\$\(|^npx )(pincer [^#|;&)<>]*)/.exec(line.trim())?.[1];
        return typed === undefined ? [] : [{ page, words: wordsOf(typed.trim()) }];
      }),
  );

/** Words of a shell, as far as these lines need it. */
function wordsOf(line: string): string[] {
  return Array.from(
    line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
    ([, one, other, plain]) => one ?? other ?? plain ?? "",
  );
}

describe("what the documentation tells people to type", () => {
  let program: Command;
  beforeAll(async () => {
    program = await createFullProgram("en", "");
  });

  /** What is wrong with a line, in words. */
  function problemOf([, ...words]: string[]): string | undefined {
    let command = program;
    for (const [at, word] of words.entries()) {
      // What stands for something else, or for several.
      if (/[…<>[\]|]/.test(word)) return undefined;
      if (word.startsWith("--")) {
        const flag = word.replace(/=.*/, "");
        const known = [command, ...parentsOf(command)].some(({ options }) =>
          options.some((option) => option.long === flag || option.long === flag.replace("--no-", "--")),
        );
        if (!known && flag !== "--help") return `${words.slice(0, at).join(" ")} has no ${flag}`;
        continue;
      }
      const child = command.commands.find((each) => [each.name(), ...each.aliases()].includes(word));
      if (child) command = child;
      else if (command.commands.length > 0 && command.registeredArguments.length === 0)
        return `there is no ${words.slice(0, at + 1).join(" ")}`;
      else if (command === program) return `there is no ${word}`;
    }
    return undefined;
  }
  const parentsOf = (command: Command): Command[] =>
    command.parent ? [command.parent, ...parentsOf(command.parent)] : [];

  it("DOC-01 is a command that there is, with flags that it has", () => {
    expect(commandLines.length).toBeGreaterThan(300);
    const wrong = commandLines.flatMap(({ page, words }) => {
      const problem = problemOf(words);
      return problem === undefined ? [] : [`${page}: ${words.join(" ")} (${problem})`];
    });
    expect(wrong).toEqual([]);
  });

  it("would be noticed if it were wrong", () => {
    expect(problemOf(["pincer", "nonsense"])).toBe("there is no nonsense");
    expect(problemOf(["pincer", "config", "nonsense"])).toBe("there is no config nonsense");
    expect(problemOf(["pincer", "ask", "hello", "--nonsense"])).toBe("ask hello has no --nonsense");
    expect(problemOf(["pincer", "ask", "hello", "--json"])).toBeUndefined();
    expect([isKnown("gateway.nonsense"), isKnown("gateway.port"), isKnown("contacts.Bob")]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("DOC-01 names keys of the config that there are", () => {
    const keys = commandLines.flatMap(({ page, words }) => {
      const [, command, verb, key] = words;
      const isKey = command === "config" && ["set", "get", "unset"].includes(verb ?? "");
      return isKey && key !== undefined && !/[…<>-]/.test(key) ? [{ page, key }] : [];
    });
    expect(keys.length).toBeGreaterThan(10);
    expect(keys.filter(({ key }) => !isKnown(key)).map(({ page, key }) => `${page}: ${key}`)).toEqual([]);
  });

  it("DOC-01 shows configs that are taken as they stand", () => {
    const configs = codes.filter(({ language, text }) => language === "json5" && text.startsWith("{"));
    expect(configs.length).toBeGreaterThan(10);
    const wrong = configs.flatMap(({ page, text }) => {
      const parsed = parseConfig(text);
      if (parsed.type === "unparsable") return [`${page}: ${parsed.message}: ${text}`];
      const { findings } = checkConfig(configShape, parsed.value, "partial");
      return findings.map((finding) => `${page}: ${finding.type} ${finding.path.join(".")}`);
    });
    expect(wrong).toEqual([]);
  });
});

/** Whether something could stand there: a value that nothing takes is refused for its kind, an unknown key for its name. */
function isKnown(key: string): boolean {
  const path = parsePath(key);
  const nested = path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), null);
  const { findings } = checkConfig(configShape, nested, "partial");
  return findings.every(({ type }) => type !== "unknown-key");
}
