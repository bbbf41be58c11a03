import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (!hasBrowser) return;
  stage = await createStage({ config: { tools: { modes: { tools_echo: "approval-required" } } } });
  stage.answerWith(({ text, results }) => {
    if (text.includes("clock") && results.length === 0) return { call: { name: "time_now", arguments: {} } };
    if (text.includes("ask me") && results.length === 0)
      return { call: { name: "tools_echo", arguments: { text: "may I?" } } };
    return { text: "All done." };
  });
  await stage.home.run(["ask", "Look at the clock"]);
  await stage.home.run(["ask", "--session", "other", "Hello"]);
}, 120_000);

afterAll(() => stage?.close());

describe.skipIf(!hasBrowser)("the runs of the page", () => {
  it("UI-01 are listed with model and cost, narrowed, and told step by step, and play again alike", async () => {
    const opened = await stage.open({ path: "/runs" });
    const { page } = opened;
    const rows = page.locator("view-runs tbody tr");
    await rows.nth(1).waitFor();
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(() => rows.first().innerText()).toContain("fake/small");
    await page.getByLabel("State").selectOption("failed");
    await page.getByText("No run matches.").waitFor();
    await page.getByLabel("State").selectOption("done");
    await page.getByLabel("Session key").fill("agent:main:main");
    await page.keyboard.press("Enter");
    await rows.nth(1).waitFor({ state: "detached" });
    await rows.first().getByRole("link", { name: "Main conversation" }).click();

    const steps = page.locator(".waterfall li");
    await steps.filter({ hasText: "time_now" }).waitFor();
    await expect.poll(() => steps.filter({ hasText: "fake/small" }).count()).toBe(2);
    await page.getByRole("button", { name: /^Tool time_now/ }).click();
    await page.getByText("Result", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Replay" }).click();
    await page.getByText(/The same: all \d+ entries/).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 follows a run while it works, shows what it waits for, and goes on with the answer", async () => {
    const opened = await stage.open({ path: "/runs" });
    const { page } = opened;
    await page.locator("view-runs tbody tr").first().waitFor();
    const asking = stage.home.run(["ask", "--session", "asks", "please ask me first"], {
      killAfterMs: 100_000,
    });
    const row = page.locator("view-runs tbody tr").filter({ hasText: "asks" });
    await row.first().waitFor();
    await row.getByRole("link", { name: "asks" }).click();
    const question = page.getByRole("button", { name: /^Asks you tools_echo/ });
    await question.waitFor();
    await question.click();
    await page.getByRole("link", { name: "Answer it" }).waitFor();
    const pending = JSON.parse((await stage.home.run(["approvals", "list", "--json"])).out) as {
      approvals: Array<{ id: string }>;
    };
    await stage.home.run(["approvals", "approve", pending.approvals[0]?.id ?? "none"]);
    await page.getByText("Answered by cli:owner: approved").waitFor();
    await page.locator(".badge").filter({ hasText: "Done" }).waitFor();
    await page.getByRole("button", { name: /^Tool tools_echo/ }).waitFor();
    await asking;
    expectNoFaults(opened);
    await opened.close();
  });

  it("says so where there is no such run", async () => {
    const opened = await stage.open({ path: "/runs/r_none" });
    await opened.page.getByText(/no run/i).waitFor();
    expectNoFaults(opened);
    await opened.close();
  });
});
