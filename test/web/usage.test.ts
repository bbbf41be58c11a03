import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (!hasBrowser) return;
  stage = await createStage({ config: { budgets: { day: { cost: 1 }, agent: { calls: 4 } } } });
  await stage.home.run(["ask", "One"]);
  await stage.home.run(["ask", "--session", "other", "Two"]);
}, 120_000);

afterAll(() => stage?.close());

describe.skipIf(!hasBrowser)("the usage on the page", () => {
  it("UI-01 is drawn by day and model, read by keyboard and as a table, and grouped otherwise", async () => {
    const opened = await stage.open({ path: "/usage" });
    const { page } = opened;
    const today = new Date().toISOString().slice(0, 10);
    await page.getByRole("heading", { name: "Cost by day" }).waitFor();
    await expect.poll(() => page.locator(".chart-day").count()).toBe(30);
    await page.locator(".chart").focus();
    await page.keyboard.press("End");
    await page.locator(".chart-figures").filter({ hasText: "fake/small $0.00018" }).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.locator(".chart-figures").filter({ hasText: ": $0" }).waitFor();
    await page.getByText("The same as a table").click();
    await expect
      .poll(() => page.getByRole("row", { name: new RegExp(`^${today}`) }).innerText())
      .toContain("$0.00018");

    await page.getByRole("button", { name: "7 days" }).click();
    await page.getByText("Last 7 days").waitFor();
    await page.locator(".chart-day").nth(7).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Session", exact: true }).click();
    await page.getByRole("rowheader", { name: "other" }).waitFor();
    await page.getByRole("button", { name: "Tokens" }).click();
    await page.getByRole("heading", { name: "Tokens by day" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 MODEL-05 shows how much of each budget is used, and grows with the next request", async () => {
    const opened = await stage.open({ path: "/usage", size: "phone", theme: "dark", language: "zh" });
    const { page } = opened;
    const calls = page.getByRole("meter", { name: "智能体 main，今天" });
    await calls.waitFor();
    await expect.poll(() => calls.getAttribute("aria-valuenow")).toBe("50");
    await stage.home.run(["ask", "Three"]);
    await page.locator('[role=meter][aria-valuenow="75"]').waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });
});
