/** A message that is answered again in its place: with words, with files, with files alone, and never with nothing. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { hasBrowser } from "../browser.ts";
import { createStage, expectNoFaults, findBarriers, type Stage } from "./stage.ts";

let stage: Stage;

beforeAll(async () => {
  if (hasBrowser) stage = await createStage();
});

afterAll(() => stage?.close());

const box = (page: Page) => page.locator("chat-composer textarea");
const answers = (page: Page, text: string) => page.locator(".chat-answer", { hasText: text });
const asked = (page: Page, text: string) => page.locator(".chat-user", { hasText: text });
const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true });
const aside = (page: Page) => page.locator(".chat-aside");

async function openChat(session: string) {
  const opened = await stage.open({ path: `/chat/${session}` });
  opened.page.setDefaultTimeout(15_000);
  await opened.page.locator(".chat-empty").waitFor();
  return opened;
}

async function attach(page: Page, name: string) {
  const file = { name, mimeType: "text/plain", buffer: Buffer.from("hello") };
  await page.locator("chat-composer input[type=file]").setInputFiles([file]);
  await page.locator(".attachment", { hasText: "5 B" }).waitFor();
}

async function edit(page: Page, text: string) {
  await asked(page, text).hover();
  await asked(page, text).getByRole("button", { name: "Edit and send again" }).click();
}

/** Superseded messages are announced with the end of the answer, and marked a moment later. */
async function areAsked(page: Page, count: number): Promise<void> {
  await expect.poll(() => page.locator(".chat-user").count(), { timeout: 15_000 }).toBe(count);
}

/** How often something stands in what the model was shown last. */
const timesShown = (text: string) => (stage.model.asked.at(-1)?.body.split(text).length ?? 0) - 1;

describe.skipIf(!hasBrowser)("a message that is answered again", () => {
  it("UI-01 a file that came without words is answered again in its place, by the answer and by the message", async () => {
    const opened = await openChat("file-alone");
    const { page } = opened;
    stage.answerWith(() => ({ text: "A file." }));
    await attach(page, "alone.txt");
    await send(page).click();
    await answers(page, "A file.").waitFor();

    stage.answerWith(() => ({ text: "Another answer." }));
    await answers(page, "A file.").getByRole("button", { name: "Answer again" }).click();
    await answers(page, "Another answer.").waitFor();
    await page.locator(".chat-user.pending").waitFor({ state: "detached" });
    await aside(page).waitFor();
    await areAsked(page, 1);
    await asked(page, "alone.txt").waitFor();
    expect(timesShown("[file: alone.txt]")).toBe(1);

    stage.answerWith(() => ({ text: "A third one." }));
    await edit(page, "alone.txt");
    await page.getByText("Still attached: alone.txt.").waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await box(page).fill("what is it?");
    await box(page).press("Enter");
    await answers(page, "A third one.").waitFor();
    await page.locator(".chat-user.pending").waitFor({ state: "detached" });
    await areAsked(page, 1);
    const row = asked(page, "what is it?");
    await expect.poll(() => row.locator(".chat-files").innerText()).toContain("alone.txt");
    expect(await page.getByText("Not sent").count()).toBe(0);
    expectNoFaults(opened);
    await opened.close();
  });

  it("UI-01 all words may be taken away where a file stays; of nothing at all the page says that nothing is left", async () => {
    const opened = await openChat("no-words");
    const { page } = opened;
    const why = page.locator(".toast", { hasText: "The message is empty." });
    stage.answerWith(() => ({ text: "Heard." }));
    await box(page).fill("only words");
    await box(page).press("Enter");
    await answers(page, "Heard.").waitFor();
    await edit(page, "only words");
    await box(page).fill("");
    await box(page).press("Enter");
    await why.waitFor();
    await why.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => asked(page, "only words").count()).toBe(1);
    expect(await aside(page).count()).toBe(0);

    stage.answerWith(() => ({ text: "With a file." }));
    await attach(page, "instead.txt");
    await send(page).click();
    await answers(page, "With a file.").waitFor();
    await page.locator(".chat-user.pending").waitFor({ state: "detached" });
    await areAsked(page, 1);
    await asked(page, "instead.txt").waitFor();
    expect(await page.locator(".chat-user .chat-words").count()).toBe(0);
    expect([timesShown("[file: instead.txt]"), timesShown("only words")]).toEqual([1, 0]);
    expect(await why.count()).toBe(0);
    expectNoFaults(opened);
    await opened.close();
  });
});
