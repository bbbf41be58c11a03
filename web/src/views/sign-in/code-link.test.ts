import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOwnLink, readCodeLink, writeCodeLink } from "./code-link.ts";

describe("a sign-in link", () => {
  it("UI-01 says what it was made of", () => {
    const given = fc.record({ code: fc.stringMatching(/^[\w-]{1,40}$/), role: fc.string({ minLength: 1 }) });
    fc.assert(
      fc.property(given, (each) => {
        const { hash } = new URL(writeCodeLink("https://desk.example", each));
        expect(readCodeLink(hash)).toEqual(each);
      }),
    );
    expect(writeCodeLink("http://localhost:1", { code: "abc", role: "owner" })).toBe(
      "http://localhost:1/#code=abc",
    );
  });

  it("is none where the address names a view", () => {
    expect(readCodeLink("#/chat/agent:main")).toBeUndefined();
    expect(readCodeLink("")).toBeUndefined();
  });

  it("never takes the place of somebody else's session without a question", () => {
    expect(isOwnLink("owner", { role: "owner" })).toBe(true);
    expect(isOwnLink("owner", { role: "viewer" })).toBe(false);
    expect(isOwnLink("viewer", { role: "owner" })).toBe(false);
    expect(isOwnLink("viewer", { role: "viewer" })).toBe(false);
    expect(isOwnLink("", { role: "" })).toBe(false);
  });
});
