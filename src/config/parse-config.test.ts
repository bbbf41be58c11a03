import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseConfig } from "./parse-config.ts";

const parsedOf = (text: string) => {
  const parsed = parseConfig(text);
  return parsed.type === "parsed" ? parsed : expect.fail(parsed.message);
};

it("reads JSON5 and knows where each key stands", () => {
  const parsed = parsedOf("// hello\n{\n  a: { b: [1, {c: 'x'}] }, // end\n}");
  expect(parsed.value).toEqual({ a: { b: [1, { c: "x" }] } });
  expect(parsed.locate(["a", "b", 1, "c"])).toEqual({ line: 3, column: 16 });
  expect(parsed.locate(["a", "nothing", "here"])).toEqual({ line: 3, column: 3 });
});

it("names the place where a text stops making sense", () => {
  expect(parseConfig("{\n  a: 1\n  b: 2\n}")).toMatchObject({
    type: "unparsable",
    place: { line: 3, column: 3 },
  });
  expect(parseConfig("{ a: 1")).toMatchObject({
    type: "unparsable",
    message: expect.stringContaining("too early"),
  });
});

it.each([
  ["{ a: [1, 2,\n", { line: 1, column: 11 }],
  ["{ a: [1, 2", { line: 1, column: 10 }],
  ["{\n a: { b: 1, // more\n /* to come */", { line: 2, column: 11 }],
  ["{\n a:", { line: 2, column: 3 }],
])("says of %j that it ends too early, at the last thing that stands there", (text, place) => {
  expect(parseConfig(text)).toMatchObject({ message: expect.stringContaining("too early"), place });
});

it.each([
  ["{ a: 1 }}", '"}"'],
  ["{ a: 1,, b: 2 }", "a comma"],
])("says of %j what is too much", (text, what) => {
  expect(parseConfig(text)).toMatchObject({ message: `unexpected ${what}` });
});

it("names the line where groups are nested too deeply, however deeply", () => {
  for (const depth of [100, 20_000]) {
    const text = `{\n a: ${"[\n".repeat(depth)}${"]".repeat(depth)} }`;
    const parsed = parseConfig(text);
    expect(parsed).toMatchObject({ message: "groups are nested deeper than 60 levels" });
    expect(parsed.type === "unparsable" && parsed.place.line).toBe(62);
  }
});

it("remarks on keys that stand twice, and takes the last", () => {
  const parsed = parsedOf("{ a: 1,\n a: 2 }");
  expect(parsed.value).toEqual({ a: 2 });
  expect(parsed.remarks).toEqual([{ path: ["a"], what: "repeated", place: { line: 2, column: 2 } }]);
});

it("leaves __proto__ out without touching any prototype", () => {
  const parsed = parsedOf('{ "__proto__": { polluted: 1 }, a: { __proto__: { polluted: 1 } } }');
  expect(Object.keys(parsed.value as object)).toEqual(["a"]);
  expect((parsed.value as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(parsed.remarks).toHaveLength(2);
});

it.each([
  ["10,000 open brackets", "[".repeat(10_000) + "]".repeat(10_000)],
  ["300,000 open brackets", "[".repeat(300_000)],
  ["10,000 groups", "{a:".repeat(10_000)],
  ["100 levels", "[".repeat(100) + "]".repeat(100)],
  ["a text cut off after a backslash", '{ a: "x\\'],
  ["a name cut off after a backslash", "{ 'x\\"],
  ["two million characters", `{ a: "${"x".repeat(2_000_000)}" }`],
])("answers %s with an error and not with a crash", (_name, text) => {
  expect(parseConfig(text)).toMatchObject({ type: "unparsable" });
});

it("reads a comment that ends the text with a backslash", () => {
  expect(parsedOf("{} // C:\\")).toMatchObject({ value: {} });
});

it.each(["// a", "\uFEFF// a\n", "/* a */ /**/\n// C:\\", "/* ".repeat(1000) + "*/"])(
  "reads %j as an empty config",
  (text) => {
    expect(parsedOf(text)).toMatchObject({ value: {}, remarks: [] });
  },
);

it.each(["", " \n", "/* open", "/", "/*/", "// a\n/", "/**/".repeat(50_000) + "x"])(
  "does not read a text as an empty config that is empty or goes on",
  (text) => {
    expect(parseConfig(text)).toMatchObject({ type: "unparsable" });
  },
);

it("answers every beginning of a text: whole or not, it comes back", () => {
  const text = String.raw`{ a: "xAAy", 'b'': [+0x1F, -.5e3, Infinity], /* c */ c: { d: null }, // "e\"
}`;
  for (let end = 0; end <= text.length; end++) expect(parseConfig(text.slice(0, end)).type).toMatch(/pars/);
});

it("never throws and never repeats the text, whatever it is given", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(parseConfig(text).type).toMatch(/^(un)?pars/);
    }),
  );
  expect(JSON.stringify(parseConfig("{ a: sk-planted }"))).not.toContain("planted");
});

it("agrees with JSON on every JSON text", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value);
      fc.pre(!text.includes("__proto__"));
      expect(parsedOf(text).value).toEqual(JSON.parse(text));
    }),
  );
});
