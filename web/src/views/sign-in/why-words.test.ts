import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { closeCodes, meaningOfClose } from "../../../../packages/sdk/src/protocol/close-codes.ts";
import { createSay } from "../../texts/texts.ts";
import { meaningOf, refusalWords, whyWords } from "./why-words.ts";

/** What the gateway says last before it ends a connection. */
const lastWords = (() => {
  const source = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
  const server = source("src/gateway/websocket-server.ts");
  const link = source("packages/sdk/src/client/gateway-link.ts");
  return [
    ...server.matchAll(/cutOff\([^;]*?message: "([^"]+)"/gs),
    ...server.matchAll(/webSocket\.close\(closeCodes\.\w+, "([^"]+)"/g),
    ...link.matchAll(/giveUp\(undefined, "([^"]+)"/g),
  ].map(([, words = ""]) => words);
})();

describe("why there is no connection", () => {
  it("finds what the gateway says", () => {
    expect(lastWords).toEqual(
      expect.arrayContaining(["Frames are text.", "There are too many connections."]),
    );
    expect(lastWords.length).toBeGreaterThanOrEqual(7);
  });

  it.each([...Object.values(closeCodes), 1006, 4999].map((code) => [code, meaningOfClose(code)] as const))(
    "UI-01 close code %d has words in both languages: %s",
    (_code, why) => {
      expect(meaningOf(why)).toBeDefined();
      expect(whyWords(why, createSay("en"))).toMatch(/\.$/);
      expect(whyWords(why, createSay("zh"))).toMatch(/[\u4e00-\u9fff]/);
    },
  );

  it.each(lastWords)("UI-01 so has what the gateway says itself: %s", (why) => {
    expect(meaningOf(why)).toBeDefined();
    expect(whyWords(why, createSay("zh"))).toMatch(/[\u4e00-\u9fff]/);
  });

  it("what has no words here is said as it came", () => {
    expect(whyWords("Something new.", createSay("zh"))).toBe("Something new.");
    expect(whyWords("toString", createSay("zh"))).toBe("toString");
  });

  it("a signed-out person reads why on the sign-in page", () => {
    expect(refusalWords({ reason: "gateway/unauthorized" })).toBe("why.signed-out");
    expect(refusalWords({ reason: "gateway/protocol" })).toBe("why.other-version");
  });
});
