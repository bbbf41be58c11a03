import type { CredentialView } from "@pincer/sdk";
import { describe, expect, it } from "vitest";
import { choiceOf, moved, byProvider, usedFirst, usedLast, webAddress } from "./model-order.ts";

const credential = (id: string, provider: string, position: number | null): CredentialView => ({
  id,
  agentId: null,
  provider,
  type: "api_key",
  label: null,
  source: "login",
  state: "ready",
  until: null,
  reason: null,
  position,
  lastUsedAt: null,
  lastError: null,
  lastErrorAt: null,
});

describe("the order of trying", () => {
  it("UI-01 moves one place at a time and never off the list", () => {
    expect(moved(["a", "b", "c"], 0, 1)).toEqual(["b", "a", "c"]);
    expect(moved(["a", "b", "c"], 2, -1)).toEqual(["a", "c", "b"]);
    expect(moved(["a", "b"], 0, -1)).toEqual(["a", "b"]);
    expect(moved(["a", "b"], 1, 1)).toEqual(["a", "b"]);
  });

  it("has the first as the one that answers and keeps the others behind it", () => {
    expect(choiceOf(usedFirst(["a", "b"], "c"))).toEqual({ primary: "c", fallbacks: ["a", "b"] });
    expect(choiceOf(usedFirst(["a", "b"], "b"))).toEqual({ primary: "b", fallbacks: ["a"] });
    expect(usedLast(["a"], "a")).toEqual(["a"]);
    expect(usedLast(["a"], "b")).toEqual(["a", "b"]);
    expect(choiceOf([])).toEqual({ primary: undefined, fallbacks: [] });
  });

  it("shows credentials by provider, those that are not tried last", () => {
    const groups = byProvider([
      credential("x", "p", null),
      credential("b", "p", 2),
      credential("a", "p", 1),
      credential("q", "r", 1),
    ]);
    expect(
      groups.map(({ provider, order, credentials }) => [provider, order, credentials.map(({ id }) => id)]),
    ).toEqual([
      ["p", ["a", "b"], ["a", "b", "x"]],
      ["r", ["q"], ["q"]],
    ]);
  });
});

it("takes nothing for an address that runs in the page", () => {
  expect(webAddress("https://acme.example/login?x=1")).toBe("https://acme.example/login?x=1");
  expect(
    ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "nonsense"].map(webAddress),
  ).toEqual([undefined, undefined, undefined, undefined]);
});
