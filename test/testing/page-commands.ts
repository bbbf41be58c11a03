/** The commands that a page of the documentation tells its reader to type, in the order of the page. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { lexer, walkTokens, type Token } from "marked";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Each line of a block, and each command of Pincer in the middle of a sentence; once. Comments are cut off. */
export function commandsOf(page: string): string[] {
  const lines: string[] = [];
  const read = (token: Token) => {
    if (token.type === "codespan" && /^(?:npx )?pincer \S/.test(token.text)) lines.push(token.text);
    // Blocks of another language show what is printed.
    if (token.type === "code" && [undefined, "sh"].includes(token.lang))
      lines.push(...token.text.split("\n"));
  };
  walkTokens(lexer(readFileSync(`${root}${page}`, "utf8")), read);
  const commands = lines.map((line) => line.replace(/\s+#\s.*$/, "").trim());
  return [...new Set(commands)].filter((command) => command !== "");
}
