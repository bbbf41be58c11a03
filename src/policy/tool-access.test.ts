import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideToolAccess } from "./tool-access.ts";

const open = { enabled: true, runAllow: [], allow: [], deny: [] };

describe("tool access", () => {
  it("allows by default", () => {
    expect(decideToolAccess(["read"], open)).toEqual({ allowed: true, reason: "allowed by default" });
  });

  it("CLI-09 allows nothing when tools are switched off", () => {
    expect(decideToolAccess(["read"], { ...open, enabled: false, runAllow: ["read"] }).allowed).toBe(false);
  });

  it("CLI-10 allows only what the run lists, by name or alias; an empty list is no limit", () => {
    expect(decideToolAccess(["read", "fs.read_file"], { ...open, runAllow: ["fs.read_file"] }).allowed).toBe(
      true,
    );
    expect(decideToolAccess(["list"], { ...open, runAllow: ["read"] })).toEqual({
      allowed: false,
      reason: "not in this run's --tool-allow",
    });
  });

  it("lets deny win over every combination of allows", () => {
    const names = fc.subarray(["a", "b", "c"]);
    fc.assert(
      fc.property(names, names, (runAllow, allow) => {
        expect(decideToolAccess(["a", "alias"], { ...open, runAllow, allow, deny: ["alias"] }).allowed).toBe(
          false,
        );
      }),
    );
  });

  it("never allows more when something is denied on top", () => {
    const names = fc.subarray(["a", "b", "c"]);
    fc.assert(
      fc.property(names, names, names, names, fc.boolean(), (runAllow, allow, deny, more, enabled) => {
        const before = decideToolAccess(["a"], { enabled, runAllow, allow, deny });
        const after = decideToolAccess(["a"], { enabled, runAllow, allow, deny: [...deny, ...more] });
        expect(after.allowed && !before.allowed).toBe(false);
        expect(after.allowed && more.includes("a")).toBe(false);
      }),
    );
  });
});
