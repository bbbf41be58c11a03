/** What stands in the sources of the protocol besides its schemas: what is written above a method, and what it answers with. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../packages/sdk/src/protocol", import.meta.url));

export interface ProtocolSource {
  /** By the name of the method; without its stars. */
  contracts: Map<string, string>;
  /** By the name of the method: a type, in one line. */
  results: Map<string, string>;
  /** The declaration of a type, as it stands in its file. */
  declaration(file: string, from: string, to: string): string;
}

export function readProtocolSource(): ProtocolSource {
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const texts = files.map((name) => readFileSync(join(folder, name), "utf8"));
  return {
    contracts: new Map(texts.flatMap(contractsIn)),
    results: new Map(texts.flatMap(resultsIn)),
    declaration(file, from, to) {
      const text = readFileSync(join(folder, file), "utf8");
      const at = text.indexOf(from);
      const end = text.indexOf(to, at);
      if (at < 0 || end < 0) throw new Error(`${file} has no ${from}`);
      return text.slice(at, end).trim();
    },
  };
}

const contractsIn = (text: string): Array<[string, string]> =>
  [...text.matchAll(/^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}"?([\w.]+)"?: (?:read|change|\{)/gm)].map(
    ([, comment = "", name = ""]) => [name, plain(comment)],
  );

const plain = (comment: string): string =>
  comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*?\s*/, ""))
    .join(" ")
    .trim();

/** Of every interface that ends in `Results`: the members, each up to its semicolon. */
function resultsIn(text: string): Array<[string, string]> {
  return [...text.matchAll(/^export interface \w*Results[^{]*\{\n([^]*?)^\}/gm)].flatMap(([, body = ""]) =>
    membersOf(body.replaceAll(/\/\*\*[^]*?\*\//g, "")),
  );
}

function membersOf(body: string): Array<[string, string]> {
  const found: Array<[string, string]> = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < body.length; at++) {
    const sign = body[at] ?? "";
    if ("{[(<".includes(sign)) depth++;
    else if ("}])>".includes(sign)) depth--;
    else if (sign === ";" && depth === 0) {
      const [, name, type] = /^\s*"?([\w.]+)"?: ([^]*)$/.exec(body.slice(start, at)) ?? [];
      if (name && type) found.push([name, type.replaceAll(/\s+/g, " ")]);
      start = at + 1;
    }
  }
  return found;
}
