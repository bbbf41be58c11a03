import { createHandClock, type HandClock } from "@pincer/sdk/testing";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../infra/clock.ts";
import { createPageReader, type PageReader } from "./page-reader.ts";

const signal = new AbortController().signal;
const page = (words: string | Uint8Array, contentType = "text/html") => ({
  bytes: Buffer.from(words),
  contentType,
  url: "https://example.org/dir/page",
  format: "markdown" as const,
});
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("the thread that reads pages", () => {
  const pages = createPageReader({ clock: systemClock });
  afterAll(() => pages.close());

  it("TOOL-19 answers one page after another, each with its own", async () => {
    const read = (words: string) => pages.readPage(page(`<title>T</title><p>${words}</p>`), signal);
    const [one, two] = await Promise.all([read("one"), read("two")]);
    expect([one, two]).toEqual([
      { kind: "html", title: "T", text: "one" },
      { kind: "html", title: "T", text: "two" },
    ]);
  }, 60_000);

  it("TOOL-19 tells why a page cannot be read, and goes on with the next", async () => {
    const error = await rejection(pages.readPage(page("x", "image/png"), signal));
    expect(error).toMatchObject({ message: "the page cannot be read: not a text: image/png, 1 bytes" });
    await pages.readPage(page(`${"<div>".repeat(300)}deep`), signal).catch(() => undefined);
    expect((await pages.readPage(page("<p>still here</p>"), signal)).text).toBe("still here");
  }, 30_000);
});

describe("a page that catches its reader", { timeout: 30_000 }, () => {
  const entry = new URL("./testing/hanging-worker.ts", import.meta.url);
  let clock: HandClock;
  let pages: PageReader;
  beforeEach(() => {
    clock = createHandClock();
    pages = createPageReader({ clock, entry });
  });
  afterEach(() => pages.close());

  it("TOOL-19 is cut off after ten seconds", async () => {
    const read = rejection(pages.readPage(page("hang"), signal));
    while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(10_001);
    expect(await read).toMatchObject({ message: "reading the page took more than 10 seconds" });
  });

  it("TOOL-19 ends with its caller", async () => {
    const control = new AbortController();
    const read = rejection(pages.readPage(page("hang"), control.signal));
    while (clock.sleeping() === 0) await new Promise((resolve) => setImmediate(resolve));
    control.abort(new Error("enough"));
    expect(await read).toMatchObject({ message: "enough" });
  });

  it("TOOL-19 has a memory limit", async () => {
    const error = await rejection(pages.readPage(page("eat"), signal));
    expect(error).toMatchObject({ message: "the page cannot be read: it takes too much memory" });
  }, 60_000);

  it("TOOL-19 takes nobody else down with it", async () => {
    expect(await rejection(pages.readPage(page("die"), signal))).toBeInstanceOf(Error);
    expect(await rejection(pages.readPage(page("die"), signal))).toBeInstanceOf(Error);
  });

  it("TOOL-19 has its thread ended when nothing was read for a while", async () => {
    const counting = new URL("./testing/counting-worker.ts", import.meta.url);
    const quiet = createPageReader({ clock, entry: counting });
    const read = async () => (await quiet.readPage(page("x"), signal)).text;
    expect([await read(), await read()]).toEqual(["1", "2"]);
    await clock.advance(29_000);
    expect(await read()).toBe("3");
    await clock.advance(30_001);
    expect(await read()).toBe("1");
    await quiet.close();
  }, 60_000);
});
