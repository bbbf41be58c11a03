import { createHandClock, createRecordingHost } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { keyboardOf, pressedText } from "./buttons.ts";
import type { ChannelHost } from "@pincer/sdk";
import { createReadingPlace } from "./reading-place.ts";

async function openReadingPlace(host: Pick<ChannelHost, "cursor" | "clock">) {
  const place = createReadingPlace(host);
  await place.open();
  return place;
}

const week = 7 * 24 * 3600 * 1000;

describe("what the connector keeps over restarts", () => {
  it("goes on at its place, but not after a week, in which Telegram numbers anew", async () => {
    const clock = createHandClock();
    const host = createRecordingHost({ clock });
    await (await openReadingPlace(host)).moveTo(77);
    const place = await openReadingPlace(host);
    expect(place.offset()).toBe(77);
    await clock.advance(week);
    expect(place.offset()).toBeUndefined();
  });

  it.each(["", "7", "{}", '{"texts":[[1,2]]}', "\0"])("begins anew with a cursor like %j", async (cursor) => {
    const host = createRecordingHost();
    await host.cursor.save(cursor);
    expect((await openReadingPlace(host)).offset()).toBeUndefined();
  });

  it("knows what a long button says after a restart, and forgets the oldest of very many", async () => {
    const host = createRecordingHost();
    const place = await openReadingPlace(host);
    const texts = Array.from({ length: 101 }, (_, index) => `/choose ${"中".repeat(40)} ${index}`);
    const data: string[] = [];
    for (const send of texts) {
      const keyboard = await keyboardOf([{ label: "x", send }], place);
      data.push(keyboard?.inline_keyboard[0]?.[0]?.callback_data ?? "");
    }
    const later = await openReadingPlace(host);
    expect(Math.max(...data.map((each) => Buffer.byteLength(each)))).toBeLessThanOrEqual(64);
    expect(pressedText(data[100], later)).toBe(texts[100]);
    expect(pressedText(data[0], later)).toBeUndefined();
  });

  it("a short button says itself, and nothing else is a button", async () => {
    const place = await openReadingPlace(createRecordingHost());
    const keyboard = await keyboardOf([{ label: "Yes", send: "/approve a1" }], place);
    expect(pressedText(keyboard?.inline_keyboard[0]?.[0]?.callback_data, place)).toBe("/approve a1");
    expect(pressedText("/approve a1", place)).toBeUndefined();
    expect(pressedText("=", place)).toBeUndefined();
    expect(pressedText(undefined, place)).toBeUndefined();
  });
});
