/** A page that is left alone for a while: the browser keeps spare connections, and the gateway closes them in the middle of everything. */
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { createStage, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (hasBrowser) stage = await createStage();
});

afterAll(() => stage?.close());

/** From 5 to 40 seconds: around every time after which one of the two ends a connection. */
const pauses = Array.from({ length: 20 }, (_, round) => 5000 + Math.round((35_000 * round) / 19));
const views = ["sessions", "approvals", "channels", "models", "usage", "runs", "config", "health", "access"];

describe.skipIf(!hasBrowser).concurrent("a page that was left alone", () => {
  it("UI-01 is loaded again whenever it is asked for", async () => {
    const { page } = await stage.open();
    const answers: unknown[] = [];
    for (const ms of pauses) {
      await pause(ms);
      const answer = await page.reload().catch(String);
      answers.push(typeof answer === "string" ? answer : answer?.status());
      await page.locator(".shell").waitFor();
    }
    expect(answers).toEqual(pauses.map(() => 200));
  });

  it("UI-01 opens views that were not loaded before", async () => {
    const { page, faults } = await stage.open();
    for (const [round, name] of views.entries()) {
      await pause(pauses[round * 2]);
      await page.evaluate(`location.hash = "#/${name}"`);
      await page.locator(`view-${name}`).waitFor();
    }
    expect(faults).toEqual([]);
  });
});
