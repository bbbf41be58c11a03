/** The health of the gateway, as the page shows it, and restarting it from there. */
import { chmodSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, gatewayIsGone, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (hasBrowser) stage = await createStage();
});

afterAll(() => stage?.close());

describe.skipIf(!hasBrowser)("health in the page", () => {
  it("UI-01 CLI-23 shows the checks, the doctor and the log, and starts the gateway anew", async () => {
    const opened = await stage.open({ path: "/health" });
    const { page } = opened;
    await page.locator(".check", { hasText: "Database" }).first().getByText("ok").waitFor();
    const titles = await page.locator(".check strong").allInnerTexts();
    // A check without a title of its own shows its id.
    expect(titles.filter((title) => /^[a-z]/.test(title))).toEqual([]);
    await page
      .getByText(/The doctor found no problems|Next:/)
      .first()
      .waitFor();
    await page.getByText(/All checks \(\d+\)/).waitFor();
    const headline = page.locator(".page-head [role=status]");
    // A busy machine may earn the gateway a warning of its own, which comes and goes: both in one look.
    const isTrue = () =>
      page.evaluate(`(() => {
        const headline = document.querySelector(".page-head [role=status]")?.innerText ?? "";
        const isWell = !document.querySelector("view-health :is(.check, .card):is(.warn, .bad)");
        return (isWell ? /All is well/ : /attention|problem/).test(headline);
      })()`);
    await expect.poll(isTrue).toBe(true);
    chmodSync(stage.home.path, 0o755);
    await page.getByRole("button", { name: "Check again" }).click();
    await page.locator("health-doctor .card.bad").waitFor();
    await headline.getByText("There is a problem").waitFor();
    chmodSync(stage.home.path, 0o700);
    await page.getByRole("button", { name: "Check again" }).click();
    await page.locator("health-doctor .card.bad").waitFor({ state: "detached" });
    await page.locator(".log-line", { hasText: "is running" }).waitFor();
    await page.getByLabel("Filter").fill("no such words anywhere");
    await page.getByText("No line of the log matches.").waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await page.getByRole("button", { name: "Back up now" }).click();
    await page.getByText("The backup is complete.").waitFor();

    await page.getByRole("button", { name: "Restart the gateway" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Restart the gateway" }).click();
    await page.getByText("The gateway is back.").waitFor({ timeout: 60_000 });
    await page.locator(".check", { hasText: "Gateway" }).first().getByText("ok").waitFor();
    expectNoFaults(opened, gatewayIsGone);
    await opened.close();
  });

  it("UI-01 shows no state as if it were known while nobody tells of it", async () => {
    const [opened, other] = await Promise.all([
      stage.open({ path: "/health" }),
      stage.open({ path: "/models", size: "phone", theme: "dark", language: "zh" }),
    ]);
    const { page } = opened;
    await page.locator(".check.good").first().waitFor();
    await page.getByText(/All checks/).waitFor();
    await other.page.locator(".note.good").waitFor();
    await other.page.locator(".badge.good").first().waitFor();
    await stage.gateway().kill();

    await page.locator(".page-head .badge.last-known", { hasText: "· last known, just now" }).waitFor();
    const coloured = ".shell-content :is(.badge, .check, .card, .dot, .note):is(.good, .warn, .bad)";
    expect(await page.locator(coloured).count()).toBe(0);
    await page.locator(".check", { hasText: "Database" }).first().getByText("last known: ok").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await other.page.locator(".badge.last-known", { hasText: "上次状态：刚刚" }).first().waitFor();
    await other.page.getByText(/^\s*上次状态：.*fake\/small/).waitFor();
    expect(await other.page.locator(coloured).count()).toBe(0);
    expect(await findBarriers(other.page)).toEqual([]);

    await stage.restart();
    await page.locator(".check.good").first().waitFor();
    await page.locator(".last-known").first().waitFor({ state: "detached" });
    await other.page.locator(".badge.good").first().waitFor();
    expectNoFaults(opened, gatewayIsGone);
    await Promise.all([opened.close(), other.close()]);
  });

  it("UI-01 is whole on a phone, dark and in Chinese", async () => {
    const opened = await stage.open({ path: "/health", size: "phone", theme: "dark", language: "zh" });
    const { page } = opened;
    await page.locator(".check", { hasText: "数据库" }).first().waitFor();
    await page.getByText("诊断", { exact: true }).waitFor();
    const isWide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
    expect(isWide).toBe(false);
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });
});
