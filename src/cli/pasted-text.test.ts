import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPasteFolder, unfoldPaste } from "./pasted-text.ts";

const piecesOf = (...pieces: string[]) => pieces.flatMap(createPasteFolder());
const fold = (...pieces: string[]) =>
  piecesOf(...pieces)
    .map(({ text }) => text)
    .join("");
/** One sign for each character: p where it was pasted. */
const marks = (...pieces: string[]) =>
  piecesOf(...pieces)
    .map(({ text, isPasted }) => (isPasted ? "p" : "t").repeat(text.length))
    .join("");
const pasted = (text: string) => `\u001B[200~${text}\u001B[201~`;

describe("pasted text", () => {
  it("CLI-26 is one line, whose breaks and tabs come back as they were", () => {
    const folded = fold(`say: ${pasted("one\r\ntwo\n\tthree")}\r`);
    expect(folded).toBe("say: one⏎two⏎⇥three\r");
    expect(unfoldPaste(folded)).toBe("say: one\ntwo\n\tthree\r");
    expect(marks(`say: ${pasted("one\r\ntwo")}\r`)).toBe("tttttpppppppt");
  });

  it("presses no keys: control characters in it are nothing", () => {
    expect(fold(pasted("rm\u0003 -rf\u001B[A\u0004\u007F\u009B x"))).toBe("rm -rf[A x");
  });

  it("lets what is typed pass as it is, an arrow and a lone Escape as well", () => {
    expect(fold("\u001B[A", "\u001B", "x\r", "\u0003")).toBe("\u001B[A\u001Bx\r\u0003");
  });

  it("is the same however it is cut", () => {
    const parts = fc.array(
      fc.oneof(
        fc.string({ unit: fc.constantFrom("a", "é", "你", "\n", "\t", "~") }),
        fc.string({ unit: fc.constantFrom("b", "\n", "\u0003", "2") }).map(pasted),
        fc.constantFrom("\u001B[A", "\u001B[2J"),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(parts, fc.array(fc.nat(8), { minLength: 1 }), (all, sizes) => {
        const text = all.join("");
        const pieces: string[] = [];
        for (let at = 0, index = 0; at < text.length; index++) {
          // Terminals write an Escape together with what belongs to it.
          let size = 1 + (sizes[index % sizes.length] ?? 0);
          if (text[at + size - 1] === "\u001B") size += 1;
          pieces.push(text.slice(at, at + size));
          at += size;
        }
        expect(fold(...pieces)).toBe(fold(text));
        expect(marks(...pieces)).toBe(marks(text));
      }),
    );
  });
});
