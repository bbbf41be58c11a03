import { afterEach, beforeEach, describe, it } from "vitest";
import { askAllAtOnce, askAndKill } from "./many-asks.ts";
import { makeHome, type TestHome } from "./run-pincer.ts";

let home: TestHome;
beforeEach(() => (home = makeHome()));
afterEach(() => home.remove());

describe("asking from many processes", () => {
  it("SESS-11 SESS-14 answers 40 asks that start at once on five sessions, each once and in order", async () => {
    await askAllAtOnce(home, 40, ["a", "b", "c", "d", "e"]);
  });

  it("SESS-13 loses nothing it has answered when asks are killed at any moment", async () => {
    await askAndKill(home, 25);
  });
});
