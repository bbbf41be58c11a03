/** What stands in the sources of the protocol besides its schemas: what is written above a method, and what it answers with. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../packages/sdk/src/protocol", import.meta.url));

export interface ProtocolSource {
  /** By the name of the method; without its stars. */
  contracts: Map<string, string>;
  /** By the name of the method: a type, in one line, and what is written above it. */
  results: Map<string, { type: string; note: string }>;
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
  [...text.matchAll(/^ {2}\/\*\*((?:(?!\*\/)[^])*)\*\/\n {2}"?([\w.]+)"?: method\(/gm)].map(
    ([, comment = "", name = ""]) => [name, plain(comment)],
  );

const plain = (comment: string): string =>
  comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*?\s*/, ""))
    .join(" ")
    .trim();

/** Of every method: what stands between the signs of `answer<…>()`, and the comment above. */
const resultsIn = (text: string): Array<[string, { type: string; note: string }]> =>
  [
    ...text.matchAll(
      /^ {2}"?([\w.]+)"?: method\(\{[^]*?(?:^ {4}\/\*\*((?:(?!\*\/)[^])*)\*\/\n)?^ {4}result: answer<([^]*?)>\(\),$/gm,
    ),
  ].map(([, name = "", note = "", type = ""]) => [name, { type: oneLine(type), note: plain(note) }]);

const oneLine = (type: string): string =>
  type
    .replaceAll(/\/\*\*[^]*?\*\//g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
