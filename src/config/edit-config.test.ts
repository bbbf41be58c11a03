import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readPath, withPath, type ConfigPath } from "@pincer/sdk";
import { setInText, unsetInText } from "./edit-config.ts";
import { parseConfig } from "./parse-config.ts";

const parse = (text: string) => {
  const parsed = parseConfig(text);
  return parsed.type === "parsed" ? parsed.value : expect.fail(`${parsed.message}\n${text}`);
};
const commentsOf = (text: string) => {
  const parsed = parseConfig(text);
  const tokens = parsed.type === "parsed" ? (parsed.document.tokens ?? []) : [];
  return tokens
    .filter(({ type }) => type.endsWith("Comment"))
    .map(({ range }) => text.slice(...(range ?? [0, 0])).trim())
    .sort();
};

it("creates a commented file where there is none", () => {
  for (const nothing of [undefined, "", " \n"]) {
    const text = setInText(nothing, ["gateway", "port"], 1);
    expect(parse(text)).toEqual({ configVersion: 1, gateway: { port: 1 } });
    expect(commentsOf(text)).toHaveLength(1);
  }
});

it("changes a value and leaves everything else as it was written", () => {
  const text = `// top\n{\n  'a': 0x10, // about a\n  /* b */ b: { c: 'x', },\n}\n`;
  expect(setInText(text, ["b", "c"], "y")).toBe(text.replace("'x'", "'y'"));
  expect(setInText(text, ["b", "d"], [1, "z"])).toBe(text.replace("c: 'x',", "c: 'x', d: [1, 'z'],"));
  expect(setInText(text, ["e"], true)).toBe(text.replace(", },\n", ", },\n  e: true,\n"));
  expect(setInText(text, ["a"], 16)).toBe(text);
});

it("writes in the manner of JSON where the file is JSON", () => {
  expect(setInText('{\n\t"a": 1\n}', ["b", "c"], "x")).toBe('{\n\t"a": 1,\n\t"b": { "c": "x" }\n}');
  expect(setInText("{\r\n  a: 1,\r\n}", ["b"], 2)).toBe("{\r\n  a: 1,\r\n  b: 2,\r\n}");
});

it("keeps comments that stand inside a replaced value", () => {
  const text = "{ a: [1, /* one */ 2 // two\n], b: 1 }";
  expect(commentsOf(setInText(text, ["a"], 5))).toEqual(["/* one */", "// two"]);
  expect(setInText("{ a: { /* why */ b: 1, c: 2 } }", ["a"], { b: 3 })).toBe("{ a: { /* why */ b: 3 } }");
});

it("appends to a list, and refuses to leave a gap in it", () => {
  expect(setInText("{ a: [1] }", ["a", 1], 2)).toBe("{ a: [1, 2] }");
  expect(setInText("{ a: [] }", ["a", 0], 2)).toBe("{ a: [2] }");
  expect(() => setInText("{ a: [1] }", ["a", 5], 2)).toThrow(
    expect.objectContaining({ code: "config/bad-value" }),
  );
  expect(() => setInText("{ a: 1 }", ["a", "b"], 2)).toThrow(
    expect.objectContaining({ code: "config/bad-value" }),
  );
});

it("takes a line with it when the key had it for itself, and every repetition of the key", () => {
  expect(unsetInText("{\n  a: 1,\n  b: 2, // two\n}", ["a"])).toEqual({
    text: "{\n  b: 2, // two\n}",
    found: true,
  });
  expect(unsetInText("{ a: 1, b: 2 }", ["b"]).text).toBe("{ a: 1 }");
  expect(parse(unsetInText("{ a: 1, b: 2, a: 3 }", ["a"]).text)).toEqual({ b: 2 });
  expect(unsetInText("{ a: 1 }", ["x", "y"])).toEqual({ text: "{ a: 1 }", found: false });
});

it("refuses an unparsable file and says which line to fix", () => {
  const refusal = expect.objectContaining({
    code: "config/unparsable",
    hint: expect.stringContaining("line 2"),
  });
  expect(() => setInText("{\n a b }", ["a"], 1)).toThrow(refusal);
  expect(() => unsetInText("{\n a b }", ["a"])).toThrow(refusal);
});

const name = fc
  .oneof(fc.constantFrom("a", "b", "c", "a.b", "true", "é", "x-y"), fc.string({ maxLength: 6 }))
  .filter((text) => text !== "__proto__");
const leaf = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.string({ maxLength: 8 }),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;
const table = fc.dictionary(name, json, { maxKeys: 5, noNullPrototype: true });

/** A text that means the value, with blanks, line ends, commas and comments wherever they may stand. */
const textOf = (value: unknown) =>
  fc
    .infiniteStream(fc.constantFrom("", "", " ", "\n", "\n  ", "\t", " /* c */ ", " // l\n", "\r\n"))
    .chain((gaps) =>
      fc.infiniteStream(fc.boolean()).map((coins) => {
        const gap = () => gaps.next().value as string;
        const coin = () => coins.next().value as boolean;
        const text = (words: string) =>
          coin()
            ? JSON.stringify(words)
            : `'${JSON.stringify(words).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
        const write = (part: unknown): string => {
          if (typeof part === "string") return text(part);
          if (typeof part !== "object" || part === null) return JSON.stringify(part);
          const items = Array.isArray(part)
            ? part.map((item) => gap() + write(item) + gap())
            : Object.entries(part).map(
                ([key, item]) =>
                  gap() +
                  (/^[a-c]$/.test(key) && coin() ? key : text(key)) +
                  gap() +
                  ":" +
                  gap() +
                  write(item) +
                  gap(),
              );
          const body = items.join(",") + (items.length > 0 && coin() ? `,${gap()}` : gap());
          return Array.isArray(part) ? `[${body}]` : `{${body}}`;
        };
        return gap() + write(value) + gap();
      }),
    );
const document = table.chain((value) => textOf(value).map((text) => ({ value, text })));

const placesIn = (value: unknown, path: ConfigPath = []): ConfigPath[] => {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    const here = path.concat(Array.isArray(value) ? Number(name) : name);
    const inner = placesIn(item, here);
    inner.unshift(here);
    return inner;
  });
};
const groupsIn = (value: unknown, path: ConfigPath = []): ConfigPath[] => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return [path, ...Object.entries(value).flatMap(([segment, item]) => groupsIn(item, [...path, segment]))];
};

it("sets any value at any place, and nothing else changes, and no comment is lost", () => {
  fc.assert(
    fc.property(document, json, fc.nat(), name, (given, value, choice, fresh) => {
      const fits = (path: ConfigPath) => isSettable(given.value, path);
      const groups = groupsIn(given.value);
      const fresher = [[fresh], [fresh, "deeper"]].flatMap((end) => groups.map((group) => group.concat(end)));
      const places = [...placesIn(given.value), ...fresher].filter(fits);
      const path = places[choice % places.length] ?? [fresh];
      const text = setInText(given.text, path, value);
      expect(parse(text)).toEqual(withPath(given.value, path, value));
      expect(commentsOf(text)).toEqual(commentsOf(given.text));
    }),
    { numRuns: 1500 },
  );
});

it("unsets what was set: a new key comes and goes without a trace in the value", () => {
  fc.assert(
    fc.property(document, json, fc.nat(), name, (given, value, choice, fresh) => {
      const groups = groupsIn(given.value).filter(
        (group) => readPath(given.value, [...group, fresh]) === undefined,
      );
      const group = groups[choice % Math.max(1, groups.length)];
      fc.pre(group !== undefined);
      const path = [...(group ?? []), fresh];
      const { text, found } = unsetInText(setInText(given.text, path, value), path);
      expect(found).toBe(true);
      expect(parse(text)).toEqual(given.value);
      expect(commentsOf(text)).toEqual(commentsOf(given.text));
    }),
    { numRuns: 1000 },
  );
});

it("unsets any place, and nothing else changes", () => {
  fc.assert(
    fc.property(document, fc.nat(), (given, choice) => {
      const places = placesIn(given.value);
      const path = places[choice % Math.max(1, places.length)];
      fc.pre(path !== undefined);
      expect(parse(unsetInText(given.text, path ?? []).text)).toEqual(
        withPath(given.value, path ?? [], undefined),
      );
    }),
    { numRuns: 1000 },
  );
});

const isSettable = (value: unknown, path: ConfigPath): boolean =>
  path.slice(0, -1).every((_, index) => {
    const above = readPath(value, path.slice(0, index + 1));
    if (Array.isArray(above)) return Number(path[index + 1]) < above.length;
    return above === undefined || above === null || typeof above === "object";
  });

it("begins the config below comments that stand alone", () => {
  const text = setInText("// mine\n// gateway: {}", ["gateway", "port"], 1);
  expect(text).toBe("// mine\n// gateway: {}\n{\n  configVersion: 1,\n  gateway: { port: 1 },\n}\n");
  expect(unsetInText("// mine", ["gateway"])).toEqual({ text: "// mine", found: false });
});
