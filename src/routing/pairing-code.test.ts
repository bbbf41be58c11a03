import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeOfMessage, makePairingCode, readPairingCode, showPairingCode } from "./pairing-code.ts";

const anyCode = fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => makePairingCode(() => bytes));

describe("a pairing code", () => {
  it("CHAN-21 has 8 characters of 32 that cannot be confused, all equally likely", () => {
    const seen = new Map<string, number>();
    for (let round = 0; round < 4000; round++) {
      const code = makePairingCode(randomBytes);
      expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
      for (const mark of code) seen.set(mark, (seen.get(mark) ?? 0) + 1);
    }
    // 1000 of each are expected; six standard deviations are about 190.
    expect(seen.size).toBe(32);
    for (const count of seen.values()) expect(Math.abs(count - 1000)).toBeLessThan(200);
  });

  it("is read back from how it is shown, whatever case and spacing somebody types", () => {
    fc.assert(
      fc.property(anyCode, (code) => {
        const shown = showPairingCode(code);
        expect(shown).toMatch(/^.{4}-.{4}$/);
        for (const typed of [shown, shown.toLowerCase(), ` ${code} `, shown.replace("-", " – ")]) {
          expect(readPairingCode(typed)).toBe(code);
        }
        expect(codeOfMessage(`  ${shown.toLowerCase()}\n`)).toBe(code);
      }),
    );
  });

  it("takes 1 and I for the L that they look like", () => {
    expect(readPairingCode("ABCD-EF1i")).toBe("ABCDEFLL");
  });

  it("is none when a character is missing, too much or not of the alphabet", () => {
    for (const text of ["", "ABCD-EFG", "ABCD-EFGHJ", "ABCD-EFG0", "ABCD-EFGО", "ABCD_EFGH"]) {
      expect(readPairingCode(text)).toBeUndefined();
    }
  });

  it("CHAN-01 is what a link that opens a chat says", () => {
    expect(codeOfMessage("/start ABCD-EFGH")).toBe("ABCDEFGH");
    expect(codeOfMessage("/start")).toBeUndefined();
    expect(codeOfMessage("/start over, ABCD-EFGH")).toBeUndefined();
  });

  it("is not seen in a word or in a sentence around it", () => {
    for (const text of ["standard", "ABCDEFGH", "my code is ABCD-EFGH", "ABCD-EFGH please"]) {
      expect(codeOfMessage(text)).toBeUndefined();
    }
  });
});
