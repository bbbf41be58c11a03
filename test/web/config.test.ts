/** The configuration in the page: found, changed after a look at what would be written, and taken back. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (hasBrowser) stage = await createStage();
});

afterAll(() => stage?.close());

const configFile = () => join(stage.home.path, "config.json5");

describe.skipIf(!hasBrowser)("the config in the page", () => {
  it("UI-01 finds a key, shows what would be written, writes it and goes back", async () => {
    const opened = await stage.open({ path: "/config" });
    const { page } = opened;
    await page.getByLabel("Search the keys").fill("approvals keepHours");
    await page.getByRole("button", { name: "approvals.keepHours" }).click();
    const field = page.locator('[data-path="approvals.keepHours"]');
    await field.getByRole("textbox").fill("soon");
    await field.getByRole("textbox").blur();
    await field.getByText("This must be a number.").waitFor();
    await field.getByRole("textbox").fill("48");
    await field.getByRole("textbox").blur();
    await field.getByText("changed").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Review and save" }).click();
    await page.locator(".diff-line.added", { hasText: "48" }).waitFor();
    // Not "48" alone: the port of the model's address may hold that.
    expect(readFileSync(configFile(), "utf8")).not.toMatch(/keepHours"?: 48/);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Saved and in force.").waitFor();
    expect(readFileSync(configFile(), "utf8")).toMatch(/keepHours"?: 48/);
    await field.getByText("in the file").waitFor();

    await page.getByRole("button", { name: "History" }).click();
    await page.getByText("set approvals.keepHours").waitFor();
    await page.getByRole("button", { name: "Return to before this" }).first().click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Return to before this" }).click();
    await page.getByText("Reverted.").waitFor();
    expect(readFileSync(configFile(), "utf8")).not.toMatch(/keepHours"?: 48/);
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 takes a secret and never shows it, and refuses what does not fit before anything is written", async () => {
    const opened = await stage.open({ path: "/config/telemetry", size: "phone", theme: "dark" });
    const { page } = opened;
    await page.getByLabel("Search the keys").fill("tools.web.search.apiKey");
    await page.getByRole("button", { name: "tools.web.search.apiKey" }).click();
    const field = page.locator('[data-path="tools.web.search.apiKey"]');
    await field.locator("input").fill("brave-key-123456");
    await field.locator("input").blur();
    await page.getByRole("button", { name: "Review and save" }).click();
    await page.locator(".diff-line.added", { hasText: "secret:" }).waitFor();
    expect(await page.locator("body").textContent()).not.toContain("brave-key-123456");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await field.getByText(/Stored as secret:/).waitFor();
    expect(readFileSync(configFile(), "utf8")).not.toContain("brave-key-123456");
    await expect.poll(() => field.locator("input").inputValue()).toBe("");

    await page.getByLabel("Search the keys").fill("gateway.port");
    await page.getByRole("button", { name: /^gateway\.port / }).click();
    const port = page.locator('[data-path="gateway.port"]').getByRole("textbox");
    await port.fill("99999999");
    await port.blur();
    await page.getByRole("button", { name: "Review and save" }).click();
    await page.getByRole("dialog").locator(".note.bad").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Save", exact: true }).isDisabled()).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 says that the file cannot be used, what is wrong with it, and mends it", async () => {
    const opened = await stage.open({ path: "/config", language: "zh" });
    const { page } = opened;
    await page.getByRole("heading", { name: "配置" }).waitFor();
    const good = readFileSync(configFile(), "utf8");
    writeFileSync(configFile(), `${good.trimEnd().slice(0, -1)}, gateway: {`);
    await page.reload();
    await page.getByText("配置文件无法使用").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    writeFileSync(configFile(), good);
    await page.reload();
    await page.getByText("由谁回答。").waitFor();
    expect(await page.getByText("配置文件无法使用").count()).toBe(0);
    await page.getByRole("button", { name: "文件" }).click();
    await page.locator("pre.code-box", { hasText: "models" }).waitFor();
    expect(await page.locator("pre.code-box").textContent()).not.toContain("sk-fake-1234567890");
    expectNoFaults(opened);
    await opened.close();
  });
});
