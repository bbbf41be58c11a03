import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { countOf, createDamageStage } from "./testing/damage-stage.ts";

it("of a database whose every page is damaged in turn, each costs what lies on it and nothing else", () => {
  const stage = createDamageStage(40);
  try {
    let lost = 0;
    for (const page of stage.pages) {
      for (const filling of [Buffer.alloc(4096), Buffer.alloc(4096, 0x5a), randomBytes(4096)]) {
        const { contents, onPage } = stage.damage(page, filling);
        const gone = countOf(stage.whole) - countOf(contents);
        lost = Math.max(lost, gone);
        expect(gone, `page ${page}`).toBeLessThanOrEqual(onPage);
      }
    }
    expect(lost).toBeLessThanOrEqual(countOf(stage.whole) / 10);
  } finally {
    stage.remove();
  }
}, 1_200_000);
