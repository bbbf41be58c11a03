import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HttpRoute } from "./http-route.ts";
import { createRouteTable } from "./route-table.ts";

const route = (method: HttpRoute["method"], path: string): HttpRoute => ({
  method,
  path,
  access: { type: "open" },
  handle: async () => {},
});

const segment = fc.stringMatching(/^[a-z0-9._~-]{1,8}$/);
/** Any text that can stand in a path, slashes and odd signs included. */
const value = fc
  .string({ unit: "binary", minLength: 1, maxLength: 12 })
  .filter((text) => text.isWellFormed());

describe("a table of routes", () => {
  it("finds a pattern by any path that it says, with what stood in the places decoded", () => {
    const part = fc.oneof(
      segment.map((text) => ({ pattern: text, path: text, given: undefined })),
      value.map((text) => ({ pattern: ":x", path: encodeURIComponent(text), given: text })),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const named = parts.map((each, index) =>
          each.given === undefined ? each : { ...each, pattern: `:p${"abcdef"[index]}` },
        );
        const pattern = `/${named.map((each) => each.pattern).join("/")}`;
        const path = `/${named.map((each) => each.path).join("/")}`;
        const found = createRouteTable([route("GET", pattern)]).find("GET", path);
        const parameters = Object.fromEntries(
          named.flatMap((each) => (each.given === undefined ? [] : [[each.pattern.slice(1), each.given]])),
        );
        expect(found).toMatchObject({ type: "found", parameters });
      }),
    );
  });

  it("does not find a pattern by a path with more or fewer parts, or another word", () => {
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), segment, (words, other) => {
        const table = createRouteTable([route("GET", `/${words.join("/")}`)]);
        const path = `/${words.join("/")}`;
        expect(table.find("GET", `${path}/${other}`).type).toBe("none");
        expect(table.find("GET", `${path}/`).type).toBe("none");
        expect(table.find("GET", path.slice(0, -1)).type).toBe("none");
        expect(table.find("GET", `/${other}${path}`).type).toBe("none");
      }),
    );
  });

  it("takes the signs of a pattern for what they are", () => {
    const table = createRouteTable([route("GET", "/v1.0/a+b")]);
    expect(table.find("GET", "/v1.0/a+b").type).toBe("found");
    expect(table.find("GET", "/v1x0/a+b").type).toBe("none");
    expect(table.find("GET", "/v1.0/aab").type).toBe("none");
  });

  it("asks the exact path first, wherever it stands in the list, and the rest of a path is one value", () => {
    const table = createRouteTable([
      route("GET", "/docs/*"),
      route("GET", "/docs/:name"),
      route("GET", "/docs/me"),
    ]);
    expect(table.find("GET", "/docs/me")).toMatchObject({ route: { path: "/docs/me" } });
    expect(table.find("GET", "/docs/a/b%20c")).toMatchObject({
      route: { path: "/docs/*" },
      parameters: { "*": "a/b c" },
    });
  });

  it("says for which methods there is something, and answers HEAD as GET", () => {
    const table = createRouteTable([route("GET", "/a"), route("POST", "/a")]);
    expect(table.find("PUT", "/a")).toEqual({ type: "other-method", allowed: ["GET", "POST"] });
    expect(table.find("HEAD", "/a")).toMatchObject({ type: "found", route: { method: "GET" } });
  });

  it("finds nothing by a path that is not encoded as it should be", () => {
    const table = createRouteTable([route("GET", "/a/:x")]);
    for (const path of ["/a/%", "/a/%zz", "/a/%ff", "/a/%c3%28"])
      expect(table.find("GET", path).type).toBe("none");
  });

  it("refuses two routes of one method and path", () => {
    expect(() => createRouteTable([route("GET", "/a"), route("GET", "/a")])).toThrow("two routes for GET /a");
  });
});
