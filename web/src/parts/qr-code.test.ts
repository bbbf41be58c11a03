import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import { drawQr } from "./qr-code.ts";

describe("a QR code", () => {
  it("UI-01 draws every dark module of the text, and no other", () => {
    const text = "https://desk.tail1.ts.net/#code=fEtS5yKKmf6iTX5Oz8Pqo4-XBFrK1bMZ";
    const { size, path } = drawQr(text);
    const { data } = encode(text, { ecc: "M", border: 2 });
    const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => false));
    for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
      for (let at = 0; at < Number(length); at++) (drawn[Number(y)] ?? [])[Number(x) + at] = true;
    }
    expect(drawn).toEqual(data);
  });
});
