import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOneTimeChallenges } from "./one-time-challenges.ts";

describe("a challenge", () => {
  it("is good once, for what it was made for", () => {
    const challenges = createOneTimeChallenges({ clock: createHandClock() });
    const made = challenges.make(["sign-in", "http://localhost"]);
    expect(challenges.take(made, ["sign-in", "http://localhost:3000"])).toBe(false);
    expect(challenges.take(made, ["register", "http://localhost", "browser:x"])).toBe(false);
    expect(challenges.take(made, ["sign-in", "http://localhost"])).toBe(true);
    expect(challenges.take(made, ["sign-in", "http://localhost"])).toBe(false);
  });

  it("is over after two minutes, to the millisecond", async () => {
    const clock = createHandClock();
    const challenges = createOneTimeChallenges({ clock });
    const [first, second] = [challenges.make(["x"]), challenges.make(["x"])];
    await clock.advance(119_999);
    expect(challenges.take(first, ["x"])).toBe(true);
    await clock.advance(1);
    expect(challenges.take(second, ["x"])).toBe(false);
  });

  it("has one spelling", () => {
    const challenges = createOneTimeChallenges({ clock: createHandClock() });
    const made = challenges.make(["x"]);
    expect(challenges.take(`${made}=`, ["x"])).toBe(false);
    expect(challenges.take(made, ["x"])).toBe(true);
    expect(challenges.take(`${made}=`, ["x"])).toBe(false);
  });

  it("of another gateway, or changed in any place, is none", () => {
    const clock = createHandClock();
    const challenges = createOneTimeChallenges({ clock });
    const other = createOneTimeChallenges({ clock });
    expect(challenges.take(other.make(["x"]), ["x"])).toBe(false);
    fc.assert(
      fc.property(fc.nat({ max: 55 }), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const bytes = Buffer.from(challenges.make(["x"]), "base64url");
        bytes[at] = (bytes[at] ?? 0) ^ by;
        expect(challenges.take(bytes.toString("base64url"), ["x"])).toBe(false);
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => !challenges.take(text, ["x"])));
  });

  it("is refused where more came back than anybody needs, until those are over", async () => {
    const clock = createHandClock();
    const challenges = createOneTimeChallenges({ clock });
    for (let count = 0; count < 10_000; count++) challenges.take(challenges.make(["x"]), ["x"]);
    expect(challenges.take(challenges.make(["x"]), ["x"])).toBe(false);
    await clock.advance(120_000);
    expect(challenges.take(challenges.make(["x"]), ["x"])).toBe(true);
  });
});
