/** Telegram from nothing to a paired person, in the page alone, against the stand-in for its Bot API. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeBotApi, type FakeBotApi } from "../../channels/telegram/src/testing/fake-bot-api.ts";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;
let api: FakeBotApi;

beforeAll(async () => {
  if (!hasBrowser) return;
  api = await createFakeBotApi();
  stage = await createStage();
});

afterAll(async () => {
  await stage?.close();
  await api?.close();
});

describe.skipIf(!hasBrowser)("channels in the page", () => {
  it("UI-01 add Telegram step by step, claim it, let somebody in, switch it off and take it out", async () => {
    const opened = await stage.open({ path: "/channels" });
    const { page } = opened;
    await page.getByText("No channel is connected yet").waitFor();
    await page.getByText("More settings").click();
    await page.getByLabel("apiRoot").fill(api.apiRoot);
    await page.getByRole("button", { name: "Test and connect" }).click();
    await page.getByText("Still needed: Bot token").waitFor();
    await page.getByLabel("Bot token").fill("123456:WRONG-token");
    await page.getByRole("button", { name: "Test and connect" }).click();
    const problem = page.locator(".field", { has: page.getByLabel("Bot token") }).locator(".field-problem");
    await problem.getByText("Telegram does not know this token").waitFor();
    await page.getByLabel("Bot token").fill("wrong");
    await page.getByRole("button", { name: "Test and connect" }).click();
    await problem.getByText("This is not a bot token").waitFor();
    await expect.poll(() => page.locator(".toast").count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);

    await page.getByLabel("Bot token").fill(api.token);
    await page.getByRole("button", { name: "Test and connect" }).click();
    const link = page.getByRole("link", { name: "Open the link" });
    await link.waitFor();
    const href = (await link.getAttribute("href")) ?? "";
    expect(href).toMatch(/^https:\/\/t\.me\/pincer_test_bot\?start=/);
    await page.getByRole("img", { name: "QR code of the link" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);

    const ada = api.people.person(42, "Ada", "ada");
    await api.until(() => api.polling() > 0);
    api.people.dm(ada, { text: `/start ${new URL(href).searchParams.get("start")}` });
    await page.getByText("It is yours").waitFor();
    await api.until(() => api.people.seen(42).some((text) => text.includes("This is your assistant")));
    const card = page.locator('[data-account="telegram"]');
    await card.getByText("works", { exact: true }).waitFor();

    const bob = api.people.person(7, "Bob");
    api.people.dm(bob, { text: "let me in" });
    const request = page.locator("channel-people li", { hasText: "Bob" });
    await request.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("cell", { name: "7", exact: true }).waitFor();
    api.people.dm(bob, { text: "hello" });
    await api.until(() => api.people.seen(7).some((text) => text.includes("You said: hello")));
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Continue" }).click();
    await page.getByText("Only you.").waitFor();

    await card.getByRole("button", { name: "Disable" }).click();
    await card.getByText("off", { exact: true }).waitFor();
    await card.getByRole("button", { name: "More for telegram" }).click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No channel is connected yet").waitFor();
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 turn a stranger away", async () => {
    const { home } = stage;
    await home.run(["secrets", "set", "TELEGRAM"], { input: api.token });
    const settings = [`apiRoot=${api.apiRoot}`, "botToken=secret:TELEGRAM"];
    await home.run(["channels", "add", "telegram", ...settings.flatMap((each) => ["--set", each])]);
    await api.until(() => api.polling() > 0);
    const opened = await stage.open({ path: "/channels", size: "phone", theme: "dark", language: "zh" });
    const { page } = opened;
    api.people.dm(api.people.person(9, "Eve"), { text: "hi" });
    const request = page.locator("channel-people li", { hasText: "Eve" });
    await request.getByRole("button", { name: "拒绝" }).click();
    await page.getByText("没有人在等待").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 are shown as what they were while there is no connection", async () => {
    const opened = await stage.open({ path: "/channels" });
    const { page } = opened;
    const card = page.locator('[data-account="telegram"]');
    await card.locator(":is(.badge, .dot):is(.good, .warn, .bad)").first().waitFor();
    await stage.gateway().kill();
    await card.locator(".badge.last-known", { hasText: "last known, just now" }).waitFor();
    expect(await page.locator(".shell-content :is(.good, .warn, .bad)").count()).toBe(0);
    expect(await card.getAttribute("class")).not.toMatch(/good|warn|bad/);
    expect(await findBarriers(page)).toEqual([]);
    await stage.restart();
    await card.locator(".badge.last-known").waitFor({ state: "detached" });
    await card.locator(":is(.badge, .dot):is(.good, .warn, .bad)").first().waitFor();
    await opened.close();
  });
});
