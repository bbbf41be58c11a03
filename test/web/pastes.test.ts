/** What is pasted, dropped and filled into the box of a conversation in a browser is data, and stays so. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type OpenPage, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (!hasBrowser) return;
  stage = await createStage();
  stage.answerWith(({ text }) => ({ text: `You said: ${text.trimEnd().split("\n").at(-1) ?? ""}` }));
});

afterAll(() => stage?.close());

const box = (page: Page) => page.locator("chat-composer textarea");

/** Pastes as a person does, with the keys. */
async function paste(page: Page, text: string) {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await page.keyboard.press("Control+V");
}

let made = 0;
async function openChat(): Promise<OpenPage & { session: string }> {
  const session = `pastes-${++made}`;
  const opened = await stage.open({ path: `/chat/${session}` });
  await opened.page.locator(".chat-head h1", { hasText: session }).waitFor();
  await box(opened.page).focus();
  return { ...opened, session };
}

/** The words of the newest message as they are stored: what was pasted between angle brackets. */
async function stored(session: string): Promise<string> {
  const { out } = await stage.home.run(["sessions", "show", session, "--json"]);
  interface Block {
    type: string;
    text: string;
    origin?: string;
    pasted?: string;
  }
  const { entries } = JSON.parse(out) as {
    entries: Array<{ message?: { role: string; content: Block[] } }>;
  };
  const message = entries.findLast((entry) => entry.message?.role === "user")?.message;
  return (message?.content ?? [])
    .map(({ text, origin, pasted }) => (pasted === "certain" && origin === "quoted" ? `<${text}>` : text))
    .join("");
}

/** Where it is, once it stays there: an answer that streams in moves what is below it. */
async function placeOf(element: Locator) {
  let last: string | undefined;
  await expect
    .poll(async () => {
      const before = last;
      last = JSON.stringify(await element.boundingBox());
      return last !== "null" && last === before;
    })
    .toBe(true);
  return JSON.parse(last ?? "") as { x: number; y: number; width: number; height: number };
}

async function answered(page: Page, count: number) {
  await expect.poll(() => page.locator(".chat-answer").count()).toBe(count);
}

describe.skipIf(!hasBrowser)("what is pasted into the box", () => {
  it("SEC-02 goes with the message as pasted, stays so through edits, and is shown with a quiet mark", async () => {
    const opened = await openChat();
    const { page, session } = opened;
    await page.keyboard.type("Write to ");
    await paste(page, "ann@example.org");
    await page.keyboard.type(" that I am late");
    await page.keyboard.press("Enter");
    await answered(page, 1);
    expect(await stored(session)).toBe("Write to <ann@example.org> that I am late");
    // The model reads one sentence.
    expect(stage.model.asked.at(-1)?.text).toContain("Write to ann@example.org that I am late");
    const mark = page.locator(".chat-user .chat-pasted");
    expect(await mark.allInnerTexts()).toEqual(["ann@example.org"]);
    expect(await mark.getAttribute("data-mark")).toBe("pasted");
    expect(await findBarriers(page)).toEqual([]);

    // Whoever types within a paste has a paste; what is deleted is gone, and what undo brings back is what it was.
    await page.keyboard.type("to ");
    await paste(page, "abcdef");
    await page.keyboard.type(" now");
    for (let at = 0; at < 7; at++) await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("X");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.keyboard.type("Y");
    await page.keyboard.press("Control+Z");
    await page.keyboard.press("Control+Shift+Z");
    await page.keyboard.press("Enter");
    await answered(page, 2);
    expect(await stored(session)).toBe("to <abYdef> now");
    expectNoFaults(opened);
    await opened.close();
  });

  it("SEC-02 is data where it is dropped, filled in by a script, or cut and pasted again", async () => {
    const opened = await openChat();
    const { page, session } = opened;
    await page.keyboard.type("secret words");
    await page.keyboard.press("Enter");
    await answered(page, 1);
    await page.keyboard.type("ab");
    // Drags what the assistant said into the middle of what was typed.
    const source = page.locator(".chat-answer p", { hasText: "You said: secret words" }).first();
    await placeOf(source);
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector(".chat-answer p"))`);
    const [from, to] = [await placeOf(source), await placeOf(box(page))];
    await page.mouse.move(from.x + 10, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 40, to.y + to.height / 2, { steps: 5 });
    await page.mouse.up();
    await expect.poll(() => box(page).inputValue()).toContain("You said: secret words");
    await page.keyboard.press("End");
    await page.keyboard.type(" cd");
    await page.keyboard.press("Enter");
    await answered(page, 2);
    expect(await stored(session)).toMatch(
      /^(?:ab<You said: secret words>|a<You said: secret words>b|<You said: secret words>ab) cd$/,
    );

    await page.keyboard.type("typed ");
    await page.evaluate(`{
      const area = document.querySelector("chat-composer textarea");
      area.value += "filled in";
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }`);
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await answered(page, 3);
    expect(await stored(session)).toBe("typed <filled in>");

    await page.keyboard.type("typed once");
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Control+X");
    await page.keyboard.type("and ");
    await page.keyboard.press("Control+V");
    await page.keyboard.press("Enter");
    await answered(page, 4);
    expect(await stored(session)).toBe("and <typed once>");
    expectNoFaults(opened);
    await opened.close();
  });

  it("SEC-02 commands nothing: it is text, says so, and a typed command may be about it", async () => {
    const opened = await openChat();
    const { page, session } = opened;
    await paste(page, "/status");
    await page.getByText("A pasted command is only text.").waitFor();
    await page.keyboard.press("Enter");
    await answered(page, 1);
    expect(await stored(session)).toBe("</status>");
    expect(await page.locator(".chat-command").count()).toBe(0);
    await page.keyboard.type("/help ");
    await paste(page, "compact");
    await page.keyboard.press("Enter");
    await page.locator(".chat-command", { hasText: "/help compact" }).waitFor();
    expectNoFaults(opened);
    await opened.close();
  });

  it("SEC-02 is known again after a reload, when it is edited, and when it is answered again", async () => {
    const opened = await openChat();
    const { page, session } = opened;
    await page.keyboard.type("about ");
    await paste(page, "one\ntwo");
    await page.reload();
    await expect.poll(() => box(page).inputValue()).toBe("about one\ntwo");
    await box(page).focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("?");
    await page.keyboard.press("Enter");
    await answered(page, 1);
    expect(await stored(session)).toBe("about <one\ntwo>?");
    await page.getByRole("button", { name: "Answer again" }).click();
    await page.getByText("2 messages hidden").waitFor();
    await answered(page, 1);
    expect(await stored(session)).toBe("about <one\ntwo>?");
    await page.locator(".chat-user").hover();
    await page.getByRole("button", { name: "Edit and send again" }).click();
    await expect.poll(() => box(page).inputValue()).toBe("about one\ntwo?");
    await page.keyboard.type("!");
    await page.keyboard.press("Enter");
    await expect.poll(() => stored(session)).toBe("about <one\ntwo>?!");
    expectNoFaults(opened);
    await opened.close();
  });
});
