/** Reads the cases: those of the corpus folder, or a file of somebody else's. One case on a line, checked against its schema. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Compile } from "typebox/compile";
import { caseSchemas, type Case } from "./case.ts";

const folder = join(import.meta.dirname, "corpus");
const schemas = { attack: Compile(caseSchemas.attack), task: Compile(caseSchemas.task) };

/** Written for the judge by grants: their cases do not say which effects are allowed besides. */
const grantsAlone = new Set(["attacks-laws.jsonl", "tasks-ordinary.jsonl"]);

/** Those of the folder, or of a file. `byGrants`: with those that only grants can judge. Throws where a line is no case, or an id is there twice. */
export function loadCorpus(given?: string, { byGrants = false } = {}): Case[] {
  const files =
    given === undefined
      ? readdirSync(folder)
          .sort()
          .filter((name) => byGrants || !grantsAlone.has(name))
          .map((name) => join(folder, name))
      : [resolve(given)];
  const cases = files.flatMap((file) => readCases(readFileSync(file, "utf8"), basename(file)));
  const ids = cases.map(({ id }) => id);
  const twice = ids.filter((id, index) => ids.indexOf(id) !== index);
  if (twice.length > 0) throw new Error(`these ids are there twice: ${twice.join(", ")}`);
  return cases;
}

/** `name` is for what is thrown. */
export function readCases(text: string, name: string): Case[] {
  return text.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    const where = `${name}:${index + 1}`;
    const read: unknown = JSON.parse(line, (_, value: unknown) =>
      typeof value === "string" ? withRepeats(value) : value,
    );
    const isTask = (read as { type?: unknown } | null)?.type === "task";
    const schema = isTask ? schemas.task : schemas.attack;
    if (schema.Check(read)) return [read];
    const { instancePath = "", message = "" } = schema.Errors(read)[0] ?? {};
    throw new Error(`${where} is no case: ${instancePath} ${message}`);
  });
}

/** `{{repeat:400:the costs rose. }}` stands for a long text. */
const withRepeats = (text: string): string =>
  text.replaceAll(/\{\{repeat:(\d+):([^{}]*)\}\}/g, (_, times: string, words: string) =>
    words.repeat(Number(times)),
  );

/** `attacks`, `tasks`, a class, a carrier, a kind, a law, or a part of an id. */
export function isWanted(each: Case, only: readonly string[]): boolean {
  if (only.length === 0) return true;
  const kinds = each.type === "attack" ? [each.class, each.carrier, "attacks"] : [each.kind, "tasks"];
  const names = [...kinds, ...(each.law === undefined ? [] : [each.law])];
  return only.some((wish) => each.id.includes(wish) || names.includes(wish));
}
