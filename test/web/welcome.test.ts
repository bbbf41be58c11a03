/** A newcomer who has just started the gateway: from nothing to a first answer, in the page alone. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFakeBotApi, type FakeBotApi } from "../../channels/telegram/src/testing/fake-bot-api.ts";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;
let api: FakeBotApi;

beforeAll(async () => {
  if (!hasBrowser) return;
  api = await createFakeBotApi();
  stage = await createStage({ isFresh: true });
});

afterAll(async () => {
  await stage?.close();
  await api?.close();
});

describe.skipIf(!hasBrowser)("the first steps in the page", () => {
  it("UI-01 CLI-19 connect a model and Telegram, name the assistant, and end with an answer", async () => {
    const opened = await stage.open();
    const { page } = opened;
    // Before there is a model, the answer leads there.
    await page.getByPlaceholder("Write a message").fill("hello");
    await page.keyboard.press("Enter");
    const answer = page.locator(".chat-answer", { hasText: "no model is connected yet" });
    expect(await answer.innerText()).not.toContain("pincer ");
    await answer.getByRole("link", { name: "Connect a model" }).click();
    await page.getByRole("heading", { name: "Which model should answer?" }).waitFor();
    await page.getByRole("button", { name: "Your own server" }).click();
    await page.locator('input[name="provider"]').fill("mine");
    await page.getByLabel("Address").fill(stage.model.baseUrl);
    await page.getByLabel("Model (optional)").fill("small");
    await page.getByRole("button", { name: "Test and use" }).click();
    await page.getByText("mine/small answers.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Continue" }).click();

    await page.getByLabel("Name of the assistant").fill("Pip");
    await page.getByRole("button", { name: "Name it" }).click();
    await page.getByRole("heading", { name: "Talk to it on Telegram" }).waitFor();
    await page.getByText("More settings").click();
    await page.getByLabel("apiRoot").fill(api.apiRoot);
    await page.getByLabel("Bot token").fill(api.token);
    await page.getByRole("button", { name: "Test and connect" }).click();
    const href = (await page.getByRole("link", { name: "Open the link" }).getAttribute("href")) ?? "";
    await api.until(() => api.polling() > 0);
    const code = new URL(href).searchParams.get("start");
    api.people.dm(api.people.person(42, "Ada"), { text: `/start ${code}` });
    await page.getByText("It is yours").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Continue" }).click();

    await page.getByRole("link", { name: "Open Access" }).waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByLabel("Your first message").fill("Hello Pip");
    await page.getByRole("button", { name: "Send and start" }).click();
    await page.locator(".chat-answer", { hasText: "You said: Hello Pip" }).waitFor();
    expectNoFaults(opened);
    await opened.close();
  });

  it("CLI-19 can be taken up again, and shows what is there", async () => {
    const opened = await stage.open({ path: "/welcome", size: "phone", theme: "dark", language: "zh" });
    const { page } = opened;
    await page.getByRole("button", { name: "模型 完成" }).waitFor();
    await page.getByRole("button", { name: "Telegram 完成" }).click();
    await page.getByText("Telegram 已连接。").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });
});
