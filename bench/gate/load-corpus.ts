/** Reads the cases: those of the corpus folder, or a file of somebody else's. One case on a line, checked against its schema. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Compile } from "typebox/compile";
import { caseSchemas, type Case } from "./case.ts";

const folder = join(import.meta.dirname, "corpus");
const schemas = { attack: Compile(caseSchemas.attack), task: Compile(caseSchemas.task) };

/** Throws where a line is no case, or an id is there twice. */
export function loadCorpus(given?: string): Case[] {
  const files =
    given === undefined
      ? readdirSync(folder)
          .sort()
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

/** `attacks`, `tasks`, or a part of an id, a class, a carrier or a kind. */
export function isWanted(each: Case, only: readonly string[]): boolean {
  if (only.length === 0) return true;
  const names = each.type === "attack" ? [each.class, each.carrier, "attacks"] : [each.kind, "tasks"];
  return only.some((wish) => each.id.includes(wish) || names.includes(wish));
}
