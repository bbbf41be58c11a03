import { describe, expect, it } from "vitest";
import { imageReader } from "./read-image.ts";

const read = (content: string) => imageReader({ read: async () => Buffer.from(content, "latin1") })("m");

describe("a picture for a model", () => {
  it.each([
    ["image/png", "\x89PNG\r\n\x1a\nrest"],
    ["image/jpeg", "\xff\xd8\xff\xe0rest"],
    ["image/gif", "GIF89arest"],
    ["image/webp", "RIFF\x10\x00\x00\x00WEBPrest"],
  ])("is %s by its first bytes", async (mimeType, content) => {
    expect(await read(content)).toMatchObject({ mimeType });
  });

  it("is none when it is something else, or gone", async () => {
    expect(await read("<svg onload=alert(1)>")).toBeUndefined();
    expect(await read("")).toBeUndefined();
    const gone = imageReader({ read: () => Promise.reject(new Error("gone")) });
    expect(await gone("m")).toBeUndefined();
  });
});
