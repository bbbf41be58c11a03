/** What the page shows of things that are written in English: what keys of the config are for, and why the gate asks. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (!hasBrowser) return;
  stage = await createStage({ config: { tools: { modes: { exec: "approval-required" } } } });
  stage.answerWith(({ results }) =>
    results.length > 0
      ? { text: "Done." }
      : { call: { name: "exec", arguments: { command: "echo the whole of it" } } },
  );
});

afterAll(() => stage?.close());

describe.skipIf(!hasBrowser)("the page in Chinese", () => {
  it("UI-01 says what each key of the config is for, and finds it by that", async () => {
    const opened = await stage.open({ language: "zh" });
    const { page } = opened;
    await page.goto(`${page.url()}#/sessions`);
    await page.locator("view-sessions h1").waitFor();
    await page.goto(`${new URL("/", page.url()).href}#/config`);
    await page.getByRole("button", { name: "gateway", exact: true }).click();
    await page.getByText("接收并回答消息的进程。").waitFor();
    await page.getByText("页面和 API 的端口；0 表示任意空闲端口。").waitFor();
    const hints = await page.locator("view-config :is(.hint, summary .soft)").allInnerTexts();
    expect(hints.length).toBeGreaterThan(20);
    expect(hints.filter((hint) => hint !== "" && !/\p{Script=Han}/u.test(hint))).toEqual([]);
    await page.getByRole("searchbox").fill("沉默");
    await page.getByRole("button", { name: "models.idleTimeoutMs" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 shows none of it to somebody who reads English", async () => {
    const opened = await stage.open();
    const { page } = opened;
    await page.goto(`${page.url()}#/config`);
    await page.getByRole("button", { name: "gateway", exact: true }).click();
    await page.getByText("The process that receives messages and answers them.").waitFor();
    const hints = await page.locator("view-config :is(.hint, summary .soft)").allInnerTexts();
    expect(hints.length).toBeGreaterThan(20);
    expect(hints.filter((hint) => /\p{Script=Han}/u.test(hint))).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 says why the gate asks, before and after it was answered", async () => {
    const opened = await stage.open({ path: "/approvals", language: "zh" });
    const { page } = opened;
    const ending = stage.home.run(["ask", "run it", "--json"]);
    const card = page.locator("article.approval");
    await card.getByText("需要所有者同意（tools.modes.exec）").waitFor();
    expect(await card.getByText("needs the owner's yes").count()).toBe(0);
    await card.getByRole("button", { name: "拒绝" }).click();
    await ending;
    await page.locator("details.one-line summary").first().click();
    await page.locator("details.one-line .hint", { hasText: "需要所有者同意" }).waitFor();
    expectNoFaults(opened);
    await opened.close();
  });
});
