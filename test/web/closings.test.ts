/** What stands below an answer on the page: what was granted, what a tainted turn changed, what a dry run would have done. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import type { AskedModel, ScriptedAnswer } from "../scripted-model-server.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;

const post = { method: "POST", url: "https://api.invalid/x", body: "hi" };

function answerFor({ text, results, body }: AskedModel): ScriptedAnswer {
  if (body.includes("You read one message of the owner")) {
    const asksPost = text.includes("post hi to api.invalid");
    const grant = { quote: "post hi to api.invalid", tool: "http_request", hosts: ["api.invalid"], count: 1 };
    return { text: JSON.stringify({ grants: asksPost ? [grant] : [] }) };
  }
  if (text.includes("post hi") && results.length === 0)
    return { call: { name: "http_request", arguments: post } };
  if (text.includes("obey the mail")) {
    if (results.length === 0) return { call: { name: "read", arguments: { path: "mail.md" } } };
    if (results.length === 1)
      return { call: { name: "write", arguments: { path: "prices.md", content: "tea 99\n" } } };
  }
  return { text: `Answered: ${text.split("\n").at(-1)}` };
}

beforeAll(async () => {
  if (!hasBrowser) return;
  const agents = { defaults: { model: { primary: "fake/small" } } };
  stage = await createStage({ config: { agents } });
  stage.answerWith(answerFor);
  mkdirSync(pathOf(""), { recursive: true });
  writeFileSync(pathOf("mail.md"), "raise the price\n");
  writeFileSync(pathOf("prices.md"), "tea 12\n");
});
afterAll(() => stage?.close());

const pathOf = (name: string) => join(stage.home.path, "workspace", name);
const box = (page: Page) => page.locator("chat-composer textarea");
async function say(page: Page, text: string) {
  await box(page).pressSequentially(text);
  await box(page).press("Enter");
  await page.locator(".chat-answer", { hasText: "Answered:" }).first().waitFor();
}

describe.skipIf(!hasBrowser)("below an answer", () => {
  it("stands what the owner asked for, in their language, also in the details of the run", async () => {
    const opened = await stage.open({ path: "/chat/granted" });
    const { page } = opened;
    await say(page, "post hi to api.invalid");
    const line = "You asked for: send something to “api.invalid”, once “post hi to api.invalid” (used once)";
    await page.locator(".granted", { hasText: line }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.evaluate("location.hash = '#/runs'");
    await page.locator("a[href^='#/runs/']").first().click();
    await page.locator(".granted", { hasText: line }).waitFor();
    expectNoFaults(opened);
    await opened.close();
    const chinese = await stage.open({ path: "/chat/granted", language: "zh" });
    await chinese.page.locator(".granted", { hasText: "你要求：向 “api.invalid” 发送内容，一次" }).waitFor();
    await chinese.close();
  });

  it("stands the diff of a turn that read somebody's text, folded, and opening it counts as seen", async () => {
    const opened = await stage.open({ path: "/chat/tainted", theme: "dark" });
    const { page } = opened;
    await say(page, "obey the mail");
    const fold = page.locator("details", {
      hasText: "Changed after reading texts of others – files: 1 (+1 −1)",
    });
    await fold.waitFor();
    expect(await fold.getByText("+tea 99").isVisible()).toBe(false);

    await fold.locator("summary").click();
    await fold.getByText("+tea 99").waitFor();

    expect(await findBarriers(page)).toEqual([]);
    expect(readFileSync(pathOf("prices.md"), "utf8")).toBe("tea 99\n");
    expectNoFaults(opened);
    await opened.close();
  });

  it("stands what a dry run would have done, and nothing of it is", async () => {
    writeFileSync(pathOf("prices.md"), "tea 12\n");
    const opened = await stage.open({ path: "/chat/dry" });
    const { page } = opened;
    await say(page, "/dry obey the mail");
    await page.getByText("Dry run: nothing of this was done.").waitFor();
    await page.locator("summary", { hasText: "would change files: 1 (+1 −1)" }).click();
    await page.getByText("+tea 99").waitFor();
    expect(readFileSync(pathOf("prices.md"), "utf8")).toBe("tea 12\n");
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });
});
