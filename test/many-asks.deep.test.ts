import { afterEach, beforeEach, describe, it } from "vitest";
import { askAllAtOnce, askAndKill } from "./many-asks.ts";
import { makeHome, type TestHome } from "./run-pincer.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

describe("asking from many processes, for long", () => {
  it("answers 200 asks that start at once on five sessions, each once and in order", async () => {
    await askAllAtOnce(home, 200, ["a", "b", "c", "d", "e"]);
  });

  it("is whole after 500 asks killed at any moment", async () => {
    await askAndKill(home, 500);
  });
});
