/** The conversation as somebody has it in a browser: streaming, tools, approvals, files, going back, and everything that breaks on the way. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import type { AskedModel, ScriptedAnswer } from "../scripted-model-server.ts";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, takeFor, type Stage } from "./stage.ts";

let stage: Stage;
/** What a slow answer waits for with its last word: tests that do something in the middle of one end it. */
let held = Promise.withResolvers<void>();

const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8BQDwAEgAF/QualzQAAAABJRU5ErkJggg==",
  "base64",
);
const whatBreaks = [
  /ERR_CONNECTION_REFUSED|WebSocket|ERR_INTERNET_DISCONNECTED|Failed to load resource|chrome-error/,
];

function answerFor({ text, results }: AskedModel): ScriptedAnswer {
  const words = text.trimEnd().split("\n").at(-1) ?? "";
  if (words.includes("echo") && results.length === 0)
    return { call: { name: "tools_echo", arguments: { text: "from the tool" } } };
  if (words.includes("run it") && results.length === 0)
    return { call: { name: "bash", arguments: { command: "echo approved words" } } };
  if (words.includes("write it") && results.length === 0)
    return { call: { name: "write", arguments: { path: "made.txt", content: "words" } } };
  if (words.includes("count") && results.length < 9)
    return { call: { name: "tools_echo", arguments: { text: `${results.length}` } } };
  if (words.includes("slowly"))
    return {
      text: `Slow: ${Array.from({ length: 60 }, (_, index) => `word${index}`).join(" ")}.`,
      everyMs: 50,
      until: held.promise,
    };
  if (words.includes("code")) return { text: "Look:\n\n```ts\nconst answer = 42;\n```\n\n**Done**." };
  return { text: `You said: ${words}${results.map((result) => ` [${result.trim()}]`).join("")}` };
}

beforeAll(async () => {
  if (!hasBrowser) return;
  const agents = { defaults: { model: { primary: "fake/small" }, toolMaxSteps: 2 } };
  stage = await createStage({ config: { agents, tools: { modes: { bash: "approval-required" } } } });
});

beforeEach(() => {
  held = Promise.withResolvers<void>();
  stage?.answerWith(answerFor);
});

afterAll(() => stage?.close());

const box = (page: Page) => page.locator("chat-composer textarea");
const answers = (page: Page, text: string | RegExp) => page.locator(".chat-answer", { hasText: text });
const asked = (page: Page, text: string) => page.locator(".chat-user", { hasText: text });
async function say(page: Page, text: string) {
  await box(page).fill(text);
  await box(page).press("Enter");
}
let made = 0;
/** A conversation of its own, in which nothing has been said. */
async function openChat(options: Parameters<Stage["open"]>[0] = {}) {
  const session = `test-${++made}`;
  const opened = await stage.open({ path: `/chat/${session}`, ...options });
  await opened.page.locator(".chat-head h1", { hasText: session }).waitFor();
  await opened.page.locator(".chat-empty").waitFor();
  return opened;
}

describe.skipIf(!hasBrowser)("the chat", () => {
  it("UI-01 streams an answer in Markdown, folds calls with what they were made with, and says what it cost", async () => {
    const opened = await openChat();
    const { page } = opened;
    await say(page, "speak slowly");
    await page.locator(".chat-answer.live", { hasText: "word3" }).waitFor();
    held.resolve();
    await answers(page, "word59.").waitFor();
    await page.locator(".chat-answer.live").waitFor({ state: "detached" });
    await say(page, "show code");
    await answers(page, "const answer = 42;").locator(".code-block").getByRole("button").click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe("const answer = 42;\n");
    await say(page, "echo please");
    await answers(page, "[from the tool]").waitFor();
    const tool = page.locator(".chat-tool", { hasText: "tools_echo" });
    await expect.poll(() => tool.locator(".badge").innerText()).toBe("done");
    expect(await tool.getByText('"text"').isVisible()).toBe(false);
    await tool.locator("summary").click();
    await tool.getByText('"text": "from the tool"').waitFor();
    await expect
      .poll(() => answers(page, "[from the tool]").locator(".chat-meta").innerText())
      .toMatch(/fake\/small, 60 tokens, \$0\.\d+/);
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 asks for approval in place, with the exact command, and goes on with the answer", async () => {
    const opened = await openChat({ theme: "dark" });
    const { page } = opened;
    await say(page, "run it");
    const card = page.locator(".approval");
    await card.getByText("echo approved words", { exact: true }).first().waitFor();
    await expect.poll(() => card.locator("p-countdown").innerText()).toMatch(/^\d+:\d\d/);
    await page.locator(".chat-tool .badge", { hasText: "waiting for approval" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    // A person who comes back finds the question again.
    await page.reload();
    await card.getByRole("button", { name: "Yes, once" }).or(card.locator("button.primary")).first().click();
    await answers(page, "[approved words").waitFor();
    await say(page, "run it again");
    await card.locator("button.danger").click();
    await page.locator(".chat-tool .badge", { hasText: "denied" }).waitFor();
    await page.locator(".chat-tool", { hasText: "denied" }).locator("summary").click();
    await page.getByRole("button", { name: "Why?" }).click();
    await page.locator(".chat-command", { hasText: "/why bash" }).waitFor();
    // Commands are the owner's: nobody else is offered one.
    await takeFor(page, "admin");
    await page.reload();
    await page.locator(".chat-tool", { hasText: "denied" }).locator("summary").click();
    await page.locator(".chat-tool[open]").getByText("echo approved words").first().waitFor();
    expect(await page.getByRole("button", { name: "Why?" }).count()).toBe(0);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 stops with Escape, and takes up on its way what is said meanwhile", async () => {
    const opened = await openChat();
    const { page } = opened;
    await say(page, "speak slowly");
    await page.locator(".chat-answer.live", { hasText: "word3" }).waitFor();
    await box(page).press("Escape");
    await answers(page, "Slow:").getByText("stopped", { exact: true }).waitFor();
    expect(await page.locator(".chat-answer", { hasText: "word59" }).count()).toBe(0);
    await say(page, "speak slowly, please");
    await page.locator(".chat-answer.live").waitFor();
    await say(page, "steered");
    await page.getByText("Added to the running answer").waitFor();
    held.resolve();
    await answers(page, "You said: steered").waitFor();
    await expect.poll(() => asked(page, "steered").count()).toBe(1);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 keeps wide tables and code within a phone, with their columns, numbers and boxes as they were meant", async () => {
    const row = "| a long cell that does not end soon ".repeat(5);
    const wide = `${row}|\n${"|---:".repeat(5)}|\n${row}|\n\n\`\`\`\n${"wide ".repeat(60)}\n\`\`\`\n\n5. five\n\n- [x] done`;
    stage.answerWith(() => ({ text: wide }));
    const opened = await openChat({ size: "phone" });
    const { page } = opened;
    await say(page, "show it");
    await answers(page, "done").waitFor();
    for (const part of [
      page.getByRole("button", { name: "Send", exact: true }),
      page.locator(".chat-model-button"),
    ]) {
      const place = await part.boundingBox();
      expect((place?.x ?? 0) + (place?.width ?? 999)).toBeLessThanOrEqual(390);
    }
    await expect.poll(() => page.locator(".markdown td").first().getAttribute("align")).toBe("right");
    await expect.poll(() => page.locator(".markdown ol").getAttribute("start")).toBe("5");
    await expect.poll(() => page.locator(".markdown li input").getAttribute("type")).toBe("checkbox");
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 gives back what was said to an answer that was stopped before it was read", async () => {
    const opened = await openChat();
    const { page } = opened;
    await say(page, "speak slowly");
    await page.locator(".chat-answer.live", { hasText: "word3" }).waitFor();
    await say(page, "and shorter");
    await page.getByText("Added to the running answer").waitFor();
    await box(page).press("Escape");
    await page.getByText("Not read: the answer ended first.").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await answers(page, "You said: and shorter").waitFor();
    await expect.poll(() => asked(page, "and shorter").count()).toBe(1);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 says that it stopped at a limit, and goes on when it is told to", async () => {
    const opened = await openChat();
    const { page } = opened;
    await say(page, "count");
    await page.getByText("Stopped at the step limit").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await answers(page, "You said: Continue.").waitFor();
    await page.getByRole("button", { name: "Continue" }).waitFor({ state: "detached" });
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 answers again, and goes back to an earlier message with other words; nothing is lost", async () => {
    const opened = await openChat();
    const { page } = opened;
    await say(page, "first");
    await answers(page, "You said: first").waitFor();
    await say(page, "second");
    await answers(page, "You said: second").waitFor();
    stage.answerWith(() => ({ text: "Another answer." }));
    await page.getByRole("button", { name: "Answer again" }).click();
    await answers(page, "Another answer.").waitFor();
    await page.getByText("2 messages hidden").waitFor();
    await expect.poll(() => asked(page, "second").count()).toBe(1);
    stage.answerWith(answerFor);
    await asked(page, "first").hover();
    await asked(page, "first").getByRole("button", { name: "Edit and send again" }).click();
    await expect.poll(() => box(page).inputValue()).toBe("first");
    await say(page, "instead");
    await answers(page, "You said: instead").waitFor();
    await expect.poll(() => page.locator(".chat-user").allInnerTexts()).toHaveLength(1);
    expect(stage.model.asked.at(-1)?.body).not.toContain("second");
    await page.getByRole("button", { name: "Show" }).click();
    await answers(page, "You said: second").waitFor();
    await page.reload();
    await answers(page, "You said: instead").waitFor();
    await expect.poll(() => page.locator(".chat-user").count()).toBe(1);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 sends no file to another conversation than it was meant for, and says where nothing was copied", async () => {
    const opened = await openChat();
    const { page } = opened;
    await say(page, "show me code");
    await answers(page, "Done").waitFor();
    await page.evaluate(`Object.defineProperty(navigator, "clipboard", { value: undefined })`);
    await page.locator(".code-block button").click();
    await page.locator(".code-block button", { hasText: "Copied" }).waitFor();
    await page.evaluate(`document.execCommand = () => false`);
    await page.locator(".code-block button").click();
    await page.locator(".code-block button", { hasText: "Not copied" }).waitFor();
    const file = { name: "secret.txt", mimeType: "text/plain", buffer: Buffer.from("hello") };
    await page.locator("chat-composer input[type=file]").setInputFiles([file]);
    await page.locator(".attachment", { hasText: "5 B" }).waitFor();
    await page.evaluate(`location.hash = "#/chat/elsewhere"`);
    await page.locator(".attachment").waitFor({ state: "detached" });
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 takes files by button, paste and drop, shows them, and keeps their names", async () => {
    const opened = await openChat();
    const { page } = opened;
    await page.locator("chat-composer input[type=file]").setInputFiles([
      { name: "dot.png", mimeType: "image/png", buffer: picture },
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("hello") },
    ]);
    await page.locator(".attachment", { hasText: "5 B" }).waitFor();
    await page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(["pasted"], "pasted.md", { type: "text/markdown" }));
      document.querySelector("chat-composer textarea").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
      const dropped = new DataTransfer();
      dropped.items.add(new File(["<script>alert(1)</script>"], "page.html", { type: "text/html" }));
      document.querySelector(".chat").dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
    }`);
    await page.getByRole("button", { name: "Remove pasted.md" }).click();
    // Enter sends nothing before all of them have arrived.
    await expect.poll(() => page.locator(".attachment").count()).toBe(3);
    await expect.poll(() => page.locator(".attachment progress").count()).toBe(0);
    await say(page, "look");
    await answers(page, "You said").waitFor();
    const row = asked(page, "look");
    await row.locator("img").waitFor();
    expect(
      await page.evaluate(
        `(async () => {
          const image = document.querySelector(".chat-files img");
          await image.decode();
          return image.naturalWidth;
        })()`,
      ),
    ).toBe(1);
    await expect.poll(() => row.locator(".chat-files").innerText()).toContain("notes.txt");
    const download = page.waitForEvent("download");
    await row.getByRole("link", { name: "Download page.html" }).click();
    expect((await download).suggestedFilename()).toBe("page.html");
    expect(stage.model.asked.at(-1)?.hasImage).toBe(true);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 loses nothing when the gateway is killed in the middle of an answer, and sends once what was written meanwhile", async () => {
    const opened = await openChat();
    const { page } = opened;
    await say(page, "speak slowly");
    await page.locator(".chat-answer.live", { hasText: "word3" }).waitFor();
    await stage.gateway().kill();
    held.resolve();
    await page.locator(".shell-banner").waitFor();
    await say(page, "written while away");
    await page.getByText("Waiting for the connection").waitFor();
    await box(page).fill("half a thought");
    await page.reload().catch(() => undefined);
    await stage.restart();
    await page.goto(page.url()).catch(() => undefined);
    await page.reload();
    await answers(page, "word59.").waitFor();
    await answers(page, "You said: written while away").waitFor();
    await expect.poll(() => asked(page, "written while away").count()).toBe(1);
    await expect.poll(() => answers(page, "word59.").count()).toBe(1);
    await expect.poll(() => box(page).inputValue()).toBe("half a thought");
    expectNoFaults(opened, whatBreaks);
    await opened.close();
  });

  it("UI-01 comes back to a run without a reload, each word once", async () => {
    const opened = await openChat();
    const { page } = opened;
    await say(page, "speak slowly");
    await page.locator(".chat-answer.live", { hasText: "word3" }).waitFor();
    await stage.gateway().kill();
    held.resolve();
    await page.locator(".shell-banner").waitFor();
    await stage.restart();
    await answers(page, "word59.").waitFor();
    await page.locator(".chat-answer.live").waitFor({ state: "detached" });
    await expect.poll(() => page.locator(".chat-answer").count()).toBe(1);
    await expect.poll(() => asked(page, "speak slowly").count()).toBe(1);
    expectNoFaults(opened, whatBreaks);
    await opened.close();
  });

  it("UI-01 shows a turn that was begun at a terminal, as it goes", async () => {
    const opened = await stage.open({ path: "/chat" });
    const { page } = opened;
    await box(page).waitFor();
    const ended = stage.home.run(["ask", "speak slowly from the terminal"]);
    await asked(page, "speak slowly from the terminal").waitFor();
    await page.locator(".chat-answer.live", { hasText: "word3" }).waitFor();
    held.resolve();
    expect((await ended).status).toBe(0);
    await answers(page, "word59.").waitFor();
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 completes commands, undoes with a preview, switches the model, and lists its keys", async () => {
    const opened = await openChat();
    const { page } = opened;
    await say(page, "write it");
    await answers(page, "You said: write it").waitFor();
    // A turn can be undone when it is over, which is a moment after its last word.
    await page.locator(".chat-answer.live").waitFor({ state: "detached" });
    await say(page, "/undo");
    await page.getByRole("dialog").getByText("made.txt").waitFor();
    await page.getByRole("dialog").getByText("will be deleted").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
    await page.getByText("1 restored.").waitFor();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
    await box(page).pressSequentially("/whoa");
    await page.getByRole("option", { name: /^\/whoami/ }).waitFor();
    await box(page).press("Enter");
    await page.locator(".chat-command", { hasText: "/whoami" }).waitFor();
    await expect.poll(() => box(page).inputValue()).toBe("");
    await say(page, "/model");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^small/ })
      .click();
    await page.locator(".chat-command", { hasText: "/model fake/small" }).waitFor();
    await page.getByRole("button", { name: "Model: fake/small" }).waitFor();
    await box(page).press("?");
    await page.getByRole("dialog").getByText("Shift+Enter").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 begins a new session in its place, and goes on with an older one where somebody writes there", async () => {
    const opened = await openChat();
    const { page } = opened;
    await say(page, "about tea");
    await answers(page, "You said: about tea").waitFor();
    // Known once the turn has ended, which may be a moment after its words are there.
    const open = `document.querySelector("view-chat").talk.conversation().sessionId`;
    await expect.poll(() => page.evaluate(open)).toMatch(/^s_/);
    const older = await page.evaluate(open);
    await say(page, "/new");
    await asked(page, "about tea").waitFor({ state: "detached" });
    await page.locator(".chat-empty").waitFor();
    await say(page, "about coffee");
    await answers(page, "You said: about coffee").waitFor();
    const rows = () => page.locator(".chat-row:not(:has(.chat-day))").allInnerTexts();
    const order = [/^New session/, /^about coffee/, /^You said: about coffee/];
    const isInOrder = async () => (await rows()).every((text, index) => order[index]?.test(text));
    await expect.poll(isInOrder).toBe(true);
    await page.reload();
    await answers(page, "You said: about coffee").waitFor();
    await expect.poll(isInOrder).toBe(true);

    await page.evaluate(`location.hash = "#/chat/${String(older)}"`);
    await page.getByText("This conversation has ended.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await page.getByPlaceholder("Continue this conversation").fill("more about tea");
    await page.keyboard.press("Enter");
    await answers(page, "You said: more about tea").waitFor();
    await page.getByText("This conversation has ended.").waitFor({ state: "detached" });
    await expect.poll(() => asked(page, "tea").count()).toBe(2);
    await page.evaluate(`location.hash = "#/chat/test-${made}"`);
    await answers(page, "You said: more about tea").waitFor();
    expect(await asked(page, "coffee").count()).toBe(0);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 finds words, jumps to them, and pages upward through what was said before", async () => {
    const opened = await openChat();
    const { page } = opened;
    await say(page, "the needle is here");
    await answers(page, "the needle").waitFor();
    for (let index = 0; index < 3; index++) {
      await say(page, `hay ${index}`);
      await answers(page, `You said: hay ${index}`).waitFor();
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox").fill("needle");
    await page.locator(".chat-hits button").last().click();
    await page.locator(".chat-row.hit").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator(".chat-row.hit").innerText()).toContain("needle");
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 is there on a phone and in Chinese, and never sends what is still being composed", async () => {
    const opened = await openChat({ size: "phone", language: "zh" });
    const { page } = opened;
    await box(page).click();
    const session = await page.context().newCDPSession(page);
    await session.send("Input.imeSetComposition", { text: "你hao", selectionStart: 4, selectionEnd: 4 });
    await page.evaluate(
      `document.querySelector("chat-composer textarea").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", isComposing: true, bubbles: true, cancelable: true }))`,
    );
    expect(await page.locator(".chat-user").count()).toBe(0);
    await session.send("Input.insertText", { text: "你好" });
    await box(page).press("Shift+Enter");
    await box(page).pressSequentially("再见");
    await expect.poll(() => box(page).inputValue()).toBe("你好\n再见");
    await page.getByRole("button", { name: "发送" }).click();
    await answers(page, "You said: 再见").waitFor();
    const wide = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(wide).toBeLessThanOrEqual(0);
    expect(await findBarriers(page)).toEqual([]);
    expectNoFaults(opened);
    await opened.close();
  });
});
