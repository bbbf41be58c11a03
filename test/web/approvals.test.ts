/** Questions to the owner, as they come and are answered in the page. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (!hasBrowser) return;
  stage = await createStage({
    config: {
      tools: {
        modes: {
          exec: "approval-required",
          web_fetch: "approval-required",
          tools_echo: "approval-required",
        },
      },
    },
  });
  stage.answerWith(({ text, results }) => {
    if (results.length > 0) return { text: "Done as far as it was allowed." };
    if (text.includes("both"))
      return {
        calls: [
          { name: "tools_echo", arguments: { text: "first\nto: nobody" } },
          { name: "exec", arguments: { command: "echo second" } },
        ],
      };
    if (text.includes("fetch"))
      return { call: { name: "web_fetch", arguments: { url: "https://pincer.invalid/a" } } };
    return { call: { name: "exec", arguments: { command: "echo 'all \u202Ewell' # the whole of it" } } };
  });
});

afterAll(() => stage?.close());

const ask = (words: string) => stage.home.run(["ask", words, "--json"]);

describe.skipIf(!hasBrowser)("approvals in the page", () => {
  it("UI-01 come by themselves with the exact command, and are answered with a key", async () => {
    const opened = await stage.open({ path: "/approvals" });
    const { page } = opened;
    await page.getByText("No request is waiting.").waitFor();
    const asked = ask("run the usual command of every morning");
    const card = page.locator("article.approval");
    await card.getByText("echo 'all").first().waitFor();
    expect(await card.locator("pre").first().textContent()).toContain("U+202E");
    await expect.poll(() => card.getByText("Look twice").isVisible()).toBe(true);
    await expect.poll(() => card.getByText("tools.modes.exec").count()).toBeGreaterThan(0);
    expect(await card.locator("p-countdown").textContent()).toMatch(/^\d+:\d\d/);
    expect(await findBarriers(page)).toEqual([]);
    // A key that is pressed before the question could be read is no answer. In one step, however slow this machine is.
    const isLeftAlone = await page.evaluate(`(() => {
      const card = document.querySelector("article.approval");
      card.focus();
      return card.dispatchEvent(new KeyboardEvent("keydown", { key: "d", bubbles: true, cancelable: true }));
    })()`);
    expect(isLeftAlone).toBe(true);
    await expect.poll(() => card.count()).toBe(1);
    await expect
      .poll(
        async () => {
          await page.keyboard.press("d");
          return page.locator(".badge", { hasText: "denied" }).count();
        },
        { timeout: 30_000 },
      )
      .toBeGreaterThan(0);
    await expect.poll(() => card.count()).toBe(0);
    expect((await asked).out).toContain("Done as far as it was allowed.");
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 a wider yes is a standing permission, which is taken back here", async () => {
    const opened = await stage.open({ path: "/approvals", size: "phone", theme: "dark" });
    const { page } = opened;
    const asked = ask("fetch it");
    const card = page.locator("article.approval");
    await card.getByRole("button", { name: "Always to this recipient" }).click();
    await page.getByRole("cell", { name: "pincer.invalid" }).first().waitFor();
    await asked;
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Continue" }).click();
    await page.getByText("Approvals for more than one call").waitFor();
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 are counted at the notice button, which leads there", async () => {
    const opened = await stage.open({ path: "/health" });
    const { page } = opened;
    const asked = ask("run the usual command of every morning");
    await page.getByRole("button", { name: "Needs your attention: 1" }).click();
    await page.getByRole("link", { name: /exec needs your approval/ }).click();
    const card = page.locator("article.approval");
    await card.waitFor();
    await card.getByRole("button", { name: "Approve once" }).click();
    await page.getByText("No request is waiting.").waitFor();
    await page.getByRole("button", { name: "Needs your attention", exact: true }).waitFor();
    expect((await asked).out).toContain("Done as far as it was allowed.");
    expectNoFaults(opened);
    await opened.close();
  });
});

/** Whether something is wider than the screen. */
const isTooWide = (page: Page) =>
  page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");

describe.skipIf(!hasBrowser)("what is asked together, in the page", () => {
  it("is one card with what each would do, as fields where a tool says no more, and can be chosen from", async () => {
    const opened = await stage.open({ path: "/approvals" });
    const { page } = opened;
    const asked = ask("do both");
    const card = page.locator("article.approval");
    await card.getByText("The assistant wants to do 2 things").waitFor();
    expect(await card.count()).toBe(1);
    const items = card.locator("ol > li");
    expect(await items.count()).toBe(2);
    // Values of several lines stay in their own field.
    expect(await items.first().locator(".fields dt .mono").allInnerTexts()).toEqual(["text"]);
    expect(await items.first().locator(".fields dd").innerText()).toBe("first\nto: nobody");
    expect(await items.first().locator("pre").count()).toBe(0);
    expect(await items.nth(1).locator("pre").first().innerText()).toBe("echo second");
    expect(await card.getByRole("button", { name: "Always" }).count()).toBe(0);
    expect(await findBarriers(page)).toEqual([]);
    await card.getByRole("button", { name: "Approve only the marked ones" }).click();
    await page.getByText("Mark what you approve; the rest is denied.").waitFor();
    await card.getByRole("checkbox", { name: "number 2: exec" }).check();
    await card.getByRole("button", { name: "Approve only the marked ones" }).click();
    await expect.poll(() => card.count()).toBe(0);
    const { out } = await asked;
    expect(out).toContain("Done as far as it was allowed.");
    const [first, second] = stage.model.asked.at(-1)?.results ?? [];
    expect(first).toContain("Denied: the owner said no");
    expect(second).toContain("second");
    expectNoFaults(opened);
    await opened.close();
  });

  it("is said in Chinese, fits a phone, and is answered in the conversation as well", async () => {
    const opened = await stage.open({ path: "/chat/both", language: "zh", size: "phone" });
    const { page } = opened;
    const box = page.locator("chat-composer textarea");
    await page.locator(".chat-empty").waitFor();
    await box.fill("do both");
    await page.getByRole("button", { name: "发送" }).click();
    const card = page.locator("article.approval");
    await card.getByText("助手想执行 2 项操作").waitFor();
    await card.getByText("需要所有者同意（tools.modes.tools_echo）").waitFor();
    await card.getByText("需要所有者同意（tools.modes.exec）").waitFor();
    expect(await card.getByText("needs the owner's yes").count()).toBe(0);
    expect(await isTooWide(page)).toBe(false);
    expect(await findBarriers(page)).toEqual([]);
    await card.getByRole("button", { name: "全部批准一次" }).click();
    await page.locator(".chat-answer", { hasText: "Done as far as it was allowed." }).waitFor();
    await expect.poll(() => card.count()).toBe(0);
    expect(stage.model.asked.at(-1)?.results.join()).not.toContain("Denied");
    expectNoFaults(opened);
    await opened.close();
  });
});
