/**
 * A set of questions with what they should find. `docs` are lines as people write them down; a question names those that answer it, or
 * none where nothing should be found. `headline` names the categories that count; without any, all do.
 */
import { Type, type Static } from "typebox";
import { failure } from "../../../src/infra/failure.ts";
import type { TextKey } from "../../../src/infra/texts.ts";

const words = Type.String({ pattern: "\\S" });
const maybe = Type.Optional(Type.Union([words, Type.Null()]));

export const BenchDoc = Type.Object({
  id: words,
  text: words,
  /** A day, or a moment. */
  date: Type.Optional(
    Type.Union([
      Type.String({
        pattern: "^\\d{4}-\\d\\d-\\d\\d([T ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?(Z|[+-]\\d\\d:\\d\\d)?)?$",
      }),
      Type.Null(),
    ]),
  ),
  speaker: maybe,
  /** What was said or written at one time. */
  session: maybe,
});
export type BenchDoc = Static<typeof BenchDoc>;

export const BenchQuestion = Type.Object({
  id: words,
  text: words,
  category: words,
  relevant: Type.Array(words),
});
export type BenchQuestion = Static<typeof BenchQuestion>;

const BenchCollection = Type.Object({
  name: words,
  docs: Type.Array(BenchDoc, { minItems: 1 }),
  queries: Type.Array(BenchQuestion),
});
export type BenchCollection = Static<typeof BenchCollection>;

const BenchSet = Type.Object({
  name: words,
  headline: Type.Optional(Type.Array(words)),
  collections: Type.Array(BenchCollection, { minItems: 1 }),
});
export type BenchSet = Static<typeof BenchSet>;

/** Throws `usage/bad-argument` that names the first thing that is wrong; `file` is what people call it. */
export async function parseBenchSet(text: string, file: string): Promise<BenchSet> {
  const bad = (key: BadKey, parameters: Record<string, string>) =>
    failure("usage/bad-argument", key, { file, ...parameters }, { hint: "memory.bench.bad-set.hint" });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw bad("memory.bench.bad.json", { reason: (error as Error).message });
  }
  const { Check, Errors } = await import("typebox/value");
  if (!Check(BenchSet, value)) {
    const [first] = Errors(BenchSet, value);
    const place = first?.instancePath.slice(1).replaceAll("/", ".") || file;
    throw bad("memory.bench.bad.form", { place, reason: first?.message ?? "" });
  }
  for (const { name, docs, queries } of value.collections) {
    const ids = new Set(docs.map(({ id }) => id));
    const wrong = docs.find(({ date }) => date && !isDate(date));
    if (wrong) throw bad("memory.bench.bad.date", { id: wrong.id, collection: name, date: wrong.date ?? "" });
    const doubled = doubledId(docs) ?? doubledId(queries);
    if (doubled !== undefined) throw bad("memory.bench.bad.doubled", { place: name, id: doubled });
    for (const query of queries) {
      const unknown = query.relevant.find((id) => !ids.has(id));
      if (unknown !== undefined)
        throw bad("memory.bench.bad.unknown", { query: query.id, id: unknown, collection: name });
    }
  }
  return value;
}

type BadKey = Extract<TextKey, `memory.bench.bad.${string}`>;

/** There is such a day, and such a time of day. */
function isDate(date: string): boolean {
  const day = date.slice(0, 10);
  const asked = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(asked.getTime()) || asked.toISOString().slice(0, 10) !== day) return false;
  return !Number.isNaN(Date.parse(date.replace(" ", "T")));
}

function doubledId(all: ReadonlyArray<{ id: string }>): string | undefined {
  const seen = new Set<string>();
  return all.find(({ id }) => seen.size === seen.add(id).size)?.id;
}
