/** Who answers, and how another model is connected, in the page. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (hasBrowser) stage = await createStage();
});

afterAll(() => stage?.close());

describe.skipIf(!hasBrowser)("models in the page", () => {
  it("UI-01 say who answers, are tested, put in order and used", async () => {
    const opened = await stage.open({ path: "/models" });
    const { page } = opened;
    await page.getByText("fake/small would answer now.").waitFor();
    await page.locator(".ordered").first().getByRole("button", { name: "Test" }).click();
    await page.getByText(/fake\/small answered in/).waitFor();
    await page.getByRole("button", { name: "Test all" }).click();
    await page.locator(".badge", { hasText: "works" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);

    await page.getByLabel("Include providers that are not connected").check();
    await page.getByLabel("Search").fill("claude-opus-4-5");
    const row = page.locator("model-list tr", { hasText: "anthropic/claude-opus-4-5" }).first();
    await row.getByRole("button", { name: "As fallback" }).click();
    const second = page.locator(".ordered-item", { hasText: "anthropic/claude-opus-4-5" }).first();
    await second.getByText("no credential").waitFor();
    await second.getByRole("button", { name: /earlier/ }).click();
    await page
      .locator(".ordered-item", { hasText: "anthropic/claude-opus-4-5" })
      .getByText("first")
      .waitFor();
    await page.getByText("fake/small would answer now.").waitFor();
    await page.getByRole("button", { name: /^Remove anthropic/ }).click();
    await second.waitFor({ state: "detached" });
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 a server of one's own is tried with a real question before it is used", async () => {
    const opened = await stage.open({ path: "/models", size: "phone", theme: "dark" });
    const { page } = opened;
    await page.getByRole("button", { name: "Your own server" }).click();
    await page.getByLabel("Name", { exact: false }).first().fill("mine");
    await page.getByLabel("Address").fill("http://127.0.0.1:9/v1");
    await page.getByLabel("Model (optional)").fill("small");
    await page.getByRole("button", { name: "Test and use" }).click();
    await page.locator("connect-model .note.bad").waitFor();
    await page.getByLabel("Address").fill(stage.model.baseUrl);
    await page.getByRole("button", { name: "Test and use" }).click();
    await page.getByText("mine/small would answer now.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    // What it offers is all there to choose from, and what it does not tell can be said.
    stage.model.models.push("first", "second", "third");
    await page.getByLabel("Model (optional)").fill("");
    await page.getByRole("button", { name: "Test and use" }).click();
    const which = page.getByLabel("Which model answers (3 found)");
    await expect.poll(() => which.locator("option").allInnerTexts()).toEqual(["first", "second", "third"]);
    await which.selectOption("second");
    await page.getByLabel("Context window").fill("65536");
    const sees = page.getByLabel("This model sees pictures");
    await sees.check();
    const [tick, words] = [
      await sees.boundingBox(),
      await page.locator("server-model .switch").boundingBox(),
    ];
    expect(words?.height).toBeLessThan(2 * (tick?.height ?? 0) + 12);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("mine/second would answer now.").waitFor();
    const { out } = await stage.home.run(["config", "get", "models.providers.mine.models", "--json"]);
    expect(out).toContain('"contextWindow": 65536');
    expect(out.replaceAll(/\s/g, "")).toContain('"input":["text","image"]');
    stage.model.models.length = 0;
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 offer an admin nothing that is the owner's alone", async () => {
    const opened = await stage.open({ isStranger: true });
    const { page } = opened;
    const { out } = await stage.home.run(["access", "code", "--role", "admin", "--json"]);
    const { link } = JSON.parse(out) as { link: string };
    await page.goto(link);
    await page.locator(".shell").waitFor();
    const base = new URL("/", link).href;
    await page.goto(`${base}#/models`);
    const ways = (from: typeof page) =>
      from.getByRole("group", { name: "Connect a model" }).getByRole("button");
    await ways(page).first().waitFor();
    await expect.poll(() => ways(page).allInnerTexts()).toEqual(["With a key", "With an account"]);
    await page.goto(`${base}#/welcome/model`);
    await page.locator("welcome-model connect-model").waitFor();
    expect(await page.locator(".toast").count()).toBe(0);
    const owner = await stage.open({ path: "/models" });
    await ways(owner.page).first().waitFor();
    expect(await ways(owner.page).allInnerTexts()).toEqual([
      "With a key",
      "With an account",
      "From another program",
      "Your own server",
    ]);
    expectNoFaults(opened);
    await Promise.all([opened.close(), owner.close()]);
  });

  it("CLI-14 a login leads to the provider's page, asks for what it shows, and can be left", async () => {
    const opened = await stage.open({ path: "/models" });
    const { page } = opened;
    await page.getByRole("button", { name: "With an account" }).click();
    await page.locator("connect-model select").selectOption("anthropic");
    await page.getByRole("button", { name: "Log in to anthropic" }).click();
    const link = page.getByRole("link", { name: "Open the provider's page" });
    await link.waitFor();
    await expect.poll(() => link.getAttribute("href")).toMatch(/^https:\/\//);
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Cancel the login" }).click();
    await page.getByRole("button", { name: "Log in to anthropic" }).waitFor();
    expectNoFaults(opened);
    await opened.close();
  });
});
