import { describe, expect, it } from "vitest";
import { createSay } from "../../texts/texts.ts";
import { signInWords, type SignInWay } from "./sign-in-words.ts";

const ways: SignInWay[] = ["code", "secret", "password", "passkey", "device"];
const statuses = [0, 400, 401, 403, 408, 413, 415, 429, 500, 503];

describe("why somebody is not let in", () => {
  it.each(ways.flatMap((way) => statuses.map((status) => [way, status] as const)))(
    "UI-01 has words in both languages: %s, %d",
    (way, status) => {
      const { key, parameters } = signInWords(way, status, "7");
      for (const language of ["en", "zh"] as const) {
        const words = createSay(language)(key, parameters);
        expect(words).not.toMatch(/[{}]/);
        expect(words.length).toBeGreaterThan(10);
      }
    },
  );

  it("says how long to wait, also where nobody said it", () => {
    expect(signInWords("code", 429, "7.2").parameters).toEqual({ seconds: 8 });
    expect(signInWords("code", 429, null).parameters).toEqual({ seconds: 60 });
    expect(signInWords("code", 429, "soon").parameters).toEqual({ seconds: 60 });
  });

  it("tells each way what was wrong with it", () => {
    expect(new Set(ways.map((way) => signInWords(way, 401, null).key)).size).toBe(ways.length);
  });
});
