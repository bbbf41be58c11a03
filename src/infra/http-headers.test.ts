import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HttpHeaders } from "./http-headers.ts";

/** What both must say alike. */
const views = (make: (init?: [string, string][] | Record<string, string>) => Headers) => {
  const headers = make([
    ["X-Two", " b\t"],
    ["Accept", "a"],
    ["x-two", "c"],
    ["Set-Cookie", "k=1"],
    ["set-cookie", "l=2"],
  ]);
  const seen: string[] = [];
  headers.forEach((value, name) => seen.push(`${name}=${value}`));
  const before = [[...headers], [...headers.keys()], [...headers.values()], [...headers.entries()], seen];
  headers.set("ACCEPT", "z");
  headers.delete("x-Two");
  const after = [
    [...headers],
    headers.get("set-cookie"),
    headers.getSetCookie(),
    headers.has("x-two"),
    headers.get("none"),
  ];
  headers.delete("set-cookie");
  return [before, after, headers.has("set-cookie"), [...make({ B: "1", a: "2" })], [...make()]];
};

describe("headers", () => {
  it("are those of the platform", () => {
    expect(views((init) => new HttpHeaders(init))).toEqual(views((init) => new Headers(init)));
    const platform = new Headers({ a: "1", "set-cookie": "k=1" });
    expect([...new HttpHeaders(platform)]).toEqual([...platform]);
    expect([...new Headers(new HttpHeaders(platform))]).toEqual([...platform]);
  });

  it("are those of the platform, whatever they are made of and in whatever order", () => {
    const name = fc.constantFrom("a", "A", "X-B", "x-b", "set-cookie", "Set-Cookie", "z".repeat(100));
    const value = fc.string({ unit: fc.constantFrom("v", " ", "\t", "\u00e9", ","), maxLength: 5 });
    const step = fc.tuple(fc.constantFrom("append", "set", "delete"), name, value);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const [ours, platforms] = [new HttpHeaders(), new Headers()];
        for (const [what, key, text] of steps)
          for (const headers of [ours, platforms]) {
            if (what === "append") headers.append(key, text);
            else if (what === "set") headers.set(key, text);
            else headers.delete(key);
          }
        expect([...ours]).toEqual([...platforms]);
        expect([...new HttpHeaders(ours)]).toEqual([...platforms]);
      }),
    );
  });

  it("leave those that they were copied from alone, and still know a name among very many", () => {
    const first = new HttpHeaders({ a: "1", "set-cookie": "k=1" });
    const copy = new HttpHeaders(first);
    copy.set("a", "2");
    copy.delete("set-cookie");
    expect([...first]).toEqual([
      ["a", "1"],
      ["set-cookie", "k=1"],
    ]);
    const many = new HttpHeaders();
    for (let index = 0; index < 1000; index++) many.set(`X-${index}`, String(index));
    expect([many.get("x-0"), many.get("X-999"), [...many].length]).toEqual(["0", "999", 1000]);
  });

  it.each([
    ["", "value"],
    ["a b", "value"],
    ["ä", "value"],
    ["name\n", "value"],
    ["name", "a\r\nb: c"],
    ["name", "a\0"],
    ["name", "钥匙"],
    ["name", "😀"],
  ])("refuse %j with %j as the platform does", (name, value) => {
    expect(() => new Headers([[name, value]])).toThrow(TypeError);
    expect(() => new HttpHeaders([[name, value]])).toThrow(TypeError);
  });

  it("do not repeat a value that they refuse: it may be a key", () => {
    expect(() => new HttpHeaders({ authorization: "Bearer s3cret\n\n1" })).toThrow(/^(?!.*s3cret)/);
  });

  it("take what may be in a value", () => {
    const odd = "\u00e4 \u0001 \u00ff";
    expect(new HttpHeaders({ a: odd }).get("a")).toBe(new Headers({ a: odd }).get("a"));
  });
});
