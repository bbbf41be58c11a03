import { describe, expect, it } from "vitest";
import { withSessionWishes } from "./session-wishes.ts";

const session = (settings: Record<string, string>) => ({ settings });

describe("what a session wishes", () => {
  it("takes the place of what the channel has, as a whole", () => {
    const usual = { provider: "acme", credential: "work" };
    expect(withSessionWishes(usual, session({ model: "other/one", think: "high" }), {})).toEqual({
      credential: "work",
      model: "other/one",
      thinking: "high",
    });
    expect(withSessionWishes(usual, undefined, {})).toEqual(usual);
  });

  it("gives way to what the turn was started with", () => {
    const wishes = session({ model: "other/one" });
    expect(withSessionWishes({}, wishes, { provider: "acme" })).toEqual({ provider: "acme" });
    expect(withSessionWishes({}, wishes, { model: "acme/x" })).toEqual({ model: "acme/x" });
    expect(withSessionWishes({}, wishes, { memory: true })).toEqual({ memory: true, model: "other/one" });
  });

  it("is left out where nobody knows it any more", () => {
    expect(withSessionWishes({}, session({ think: "wildly", verbose: "x" }), {})).toEqual({});
  });
});
