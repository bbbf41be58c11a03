import { describe, expect, it } from "vitest";
import { routeOf } from "./routes.ts";

const at = (hash: string) => {
  const found = routeOf(hash);
  return found && [found.route.name, found.rest];
};

describe("addresses", () => {
  it("UI-01 open chat where they name nothing", () => {
    expect([at(""), at("#"), at("#/")]).toEqual([
      ["chat", ""],
      ["chat", ""],
      ["chat", ""],
    ]);
  });

  it("hand the rest on, decoded", () => {
    expect(at("#/chat/agent:main/x%20y")).toEqual(["chat", "agent:main/x y"]);
    expect(at("#/runs/%zz")).toEqual(["runs", "%zz"]);
  });

  it("that nobody knows open nothing", () => {
    expect(at("#/nowhere")).toBeUndefined();
  });
});
