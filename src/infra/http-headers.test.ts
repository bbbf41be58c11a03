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
