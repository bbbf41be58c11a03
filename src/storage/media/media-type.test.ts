import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentInMemory, type MediaContent } from "./media-content.ts";
import { sniffContentType, sniffMediaType } from "./media-type.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const png = bytes(
  "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\0IDAT",
);
const gif = bytes(
  "GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0!\xf9\x04\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;",
);
const jpeg = bytes("\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
const elf = bytes("\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0>\0\x01\0\0\0");
const windowsProgram = bytes("MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0\xb8\0\0\0");
const voiceNote = bytes("\0\0\0\x18ftypisom\0\0\x02\0isomiso2");
const entry = (name: string, content = "") =>
  bytes(
    `PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0${String.fromCharCode(name.length)}\0\0\0${name}${content}`,
  );

describe("STORE-09 the type of a file", () => {
  it.each([
    ["a picture called text", png, "text/plain", "image/png"],
    ["a picture called a page", gif, "text/html", "image/gif"],
    ["a picture under its own name", jpeg, "image/jpeg", "image/jpeg"],
    ["a page called a picture", "<!DOCTYPE html><script>alert(1)</script>", "image/png", "text/html"],
    ["a page behind a comment", "\uFEFF \n<!-- x --><HTML><body>", "image/gif", "text/html"],
    ["a script tag called text", "<script>alert(1)</script>", "text/plain", "text/html"],
    [
      "a page behind a picture's header",
      "GIF89a/*<html><script>alert(1)</script>*/",
      "image/gif",
      "text/plain",
    ],
    ["words that begin like a picture", "BMW, and GIF too", "image/bmp", "text/plain"],
    ["words that begin like a program", "MZ is a town's sign", "application/x-msdownload", "text/plain"],
    [
      "a drawing with a script",
      "<svg xmlns='x'><script>alert(1)</script></svg>",
      "image/svg+xml",
      "application/xml",
    ],
    ["a drawing declared as XML", "<?xml version='1.0'?><svg onload='x'/>", "image/png", "application/xml"],
    ["a feed", "<rss version='2.0'/>", "application/rss+xml", "application/xml"],
    ["a page called XML", "<html><script/></html>", "text/xml", "text/html"],
    ["a program for Linux called a picture", elf, "image/png", "application/x-elf"],
    ["a program for Windows called a picture", windowsProgram, "image/jpeg", "application/x-msdownload"],
    ["a script", "#!/bin/sh\nrm -rf /\n", "text/plain", "text/x-shellscript"],
    ["a table", "a,b\n1,2\n", "text/csv; charset=utf-8", "text/csv"],
    ["a calendar", "BEGIN:VCALENDAR\r\n", "TEXT/Calendar", "text/calendar"],
    ["JSON", '{"a":1}', "application/json", "application/json"],
    ["code that a browser would run", "alert(1)", "text/javascript", "text/plain"],
    ["words under no type at all", "hello", "../../etc", "text/plain"],
    ["nothing", "", "image/png", "text/plain"],
    ["a document in letters", "%PDF-1.4\n1 0 obj", "text/plain", "application/pdf"],
    ["a document with other bytes", bytes("%PDF-1.4\n\xe2\xe3\xcf\xd3\0"), "image/png", "application/pdf"],
    ["sound in a container of pictures", voiceNote, "audio/mp4", "audio/mp4"],
    ["sound with a page before it", voiceNote, "text/html", "video/mp4"],
    ["three letters of a picture", bytes("GIFt\0<html>"), "image/gif", "application/octet-stream"],
    ["bytes without a meaning", bytes("\x01\0\x02\xfe"), "image/png", "application/octet-stream"],
    ["text with a zero in it", bytes("hello\0"), "text/plain", "application/octet-stream"],
    [
      "a mark of text before bytes",
      bytes("\xef\xbb\xbf\x1f\x8b\x08\0"),
      "text/plain",
      "application/octet-stream",
    ],
  ])("tells %s", async (_, content, claimed, expected) => {
    const found = await sniffMediaType(typeof content === "string" ? Buffer.from(content) : content, claimed);
    expect(found).toBe(expected);
  });

  it.each([
    ["an archive", entry("a.txt"), "application/zip"],
    ["a page in an archive", entry("index.html", "<html>"), "application/zip"],
    [
      "a document",
      Buffer.concat([entry("[Content_Types].xml"), entry("word/document.xml")]),
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ],
    ["a book", entry("mimetype", "application/epub+zip"), "application/epub+zip"],
    ["a program for Java", entry("META-INF/MANIFEST.MF"), "application/java-archive"],
    ["a program for a phone", entry("classes.dex"), "application/vnd.android.package-archive"],
  ])("tells %s by the names in it", async (_, content, expected) => {
    expect(await sniffMediaType(content, "image/png")).toBe(expected);
  });

  it.each([
    ["a bomb", gzipSync(Buffer.alloc(10_000_000)), "application/gzip"],
    ["an archive", entry("[Content_Types].xml"), "application/zip"],
    [
      "a bomb behind a song's header",
      Buffer.concat([bytes("ID3\x03\0\0\0\0\0\0"), gzipSync("x")]),
      "audio/mpeg",
    ],
    [
      "a bomb behind a mark of text",
      Buffer.concat([bytes("\xef\xbb\xbf"), gzipSync("x")]),
      "application/octet-stream",
    ],
  ])("does not even hand %s to what would unpack it", async (_, content, expected) => {
    const handed: unknown[] = [];
    const type = await sniffMediaType(content, "image/png", async (each) => void handed.push(each));
    expect({ type, handed }).toEqual({ type: expected, handed: [] });
  });

  it("calls a drawing no picture, and what makes the table stumble unknown", async () => {
    expect(await sniffMediaType(bytes("\0<svg>"), "image/png", async () => "image/svg+xml")).toBe(
      "application/xml",
    );
    const stumble = () => Promise.reject(new RangeError("offset"));
    expect(await sniffMediaType(png, "image/png", stumble)).toBe("application/octet-stream");
  });

  it("reads markup with any number of comments in no time", async () => {
    const comments = Buffer.from("<!-- -->".repeat(10_000));
    expect(await sniffMediaType(comments, "image/png")).toMatch(/^text\//);
    expect(await sniffMediaType(Buffer.from("<!-- <html>"), "image/png")).toBe("text/html");
  });

  it("is never a picture because somebody says so", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme" }),
        fc.constantFrom("image/png", "image/svg+xml", "video/mp4"),
        async (text, claimed) => {
          const type = await sniffMediaType(Buffer.from(text), claimed);
          expect(type).not.toMatch(/^(image|audio|video)\//);
        },
      ),
    );
  });

  it("is the same in whichever pieces the content is looked at", async () => {
    const inPieces = (content: Uint8Array, size: number): MediaContent => ({
      ...contentInMemory(content),
      async *pieces() {
        for (let at = 0; at < content.byteLength; at += size) yield content.subarray(at, at + size);
      },
    });
    const word = Buffer.concat([entry("[Content_Types].xml"), entry("word/document.xml")]);
    const content = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 60 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 60 }),
      fc.constantFrom(png, word, entry("META-INF/MANIFEST.MF"), bytes("h\xc3"), bytes("\xf0\x9f\x98\x80")),
    );
    await fc.assert(
      fc.asyncProperty(content, fc.integer({ min: 1, max: 40 }), async (each, size) => {
        const whole = await sniffMediaType(each, "text/csv");
        expect(await sniffContentType(inPieces(each, size), "text/csv")).toBe(whole);
      }),
      { numRuns: 300 },
    );
  });

  it("never throws, whatever the bytes", async () => {
    const start = fc.constantFrom(
      "",
      "\x89PNG\r\n\x1a\n",
      "PK\x03\x04",
      "\0\0\0\x18ftyp",
      "OggS",
      "RIFF",
      "\x1aE\xdf\xa3",
      "II*\0",
      "\x30\x26\xb2\x75\x8e\x66\xcf\x11",
    );
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 300 }), fc.string(), async (head, rest, claimed) => {
        const type = await sniffMediaType(Buffer.concat([bytes(head), rest]), claimed);
        expect(type).toMatch(/^[a-z]+\/[a-z0-9.+-]+$/);
      }),
    );
  });
});
