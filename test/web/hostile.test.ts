/** What others say or leave behind, in front of somebody's eyes: it shows, and it does nothing and passes for nothing else. */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testSeed } from "../../scripts/test-seed.ts";
import { hasBrowser } from "../browser.ts";
import { answerInPieces, type Piece } from "./testing/answer-pieces.ts";
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

const ofMarkdown =
  /^(?:p|br|hr|h[1-6]|ul|ol|li|blockquote|pre|code|em|strong|del|a|img|table|thead|tbody|tr|t[hd]|input|div|span|button)$/;
const attributeOfMarkdown =
  /^(?:href|target|rel|src|alt|title|class|type|checked|disabled|align|start|aria-label|tabindex)$/;

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
    // What it says is all there, tags and all.
    await shown.getByText('<form action="//evil.example"><input type="password"').waitFor();
    expect(await count("img, svg, script, style, form, iframe, math, [onerror]")).toBe(0);
    expect(await count("input:not([type=checkbox][disabled])")).toBe(0);
    expect(await count("input[type=checkbox]")).toBe(1);
    expect(await count(".shell-banner, .chat-drop, .button, .primary")).toBe(0);
    expect(await count("code.language-ts")).toBe(1);
    const links = await shown.locator("a").evaluateAll((all) => all.map((each) => each.getAttribute("href")));
    expect(links.filter((href) => href && !href.startsWith("//evil.example/"))).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 SEC-02 of whatever kind is shown with every word, and with no element or attribute but those of Markdown", async () => {
    const { page, close } = await stage.open({ path: "/chat/words" });
    await page.locator("chat-composer").waitFor();
    const render = (text: string) =>
      page.evaluate(`(async (given) => {
        const made = document.createElement("p-markdown");
        made.text = given;
        document.body.append(made);
        await made.updateComplete;
        const all = [...made.querySelectorAll("*")];
        const pictures = all.flatMap((each) => (each.localName === "img" ? [each.alt] : []));
        const shown = {
          text: [made.innerText, ...pictures].join(" "),
          tags: all.map((each) => each.localName),
          attributes: all.flatMap((each) => each.getAttributeNames()),
        };
        made.remove();
        return shown;
      })(${JSON.stringify(text)})`) as Promise<{ text: string; tags: string[]; attributes: string[] }>;
    await fc.assert(
      fc.asyncProperty(answerInPieces, async (pieces: Piece[]) => {
        const { text, tags, attributes } = await render(pieces.map((each) => each.text).join(""));
        expect(pieces.flatMap(({ words }) => words).filter((word) => !text.includes(word))).toEqual([]);
        expect(tags.filter((tag) => !ofMarkdown.test(tag))).toEqual([]);
        expect(attributes.filter((name) => !attributeOfMarkdown.test(name))).toEqual([]);
      }),
      { numRuns: 400, seed: testSeed },
    );
    await close();
  });

  it("SEC-02 leaves no draft in a browser that has signed out", async () => {
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
