/** Questions to the owner, as they come and are answered in the page. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (!hasBrowser) return;
  stage = await createStage({
    config: { tools: { modes: { exec: "approval-required", web_fetch: "approval-required" } } },
  });
  stage.answerWith(({ text, results }) => {
    if (results.length > 0) return { text: "Done as far as it was allowed." };
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
    const asked = ask("run it");
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
    const asked = ask("run it");
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
