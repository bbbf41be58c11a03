import { createHandClock } from "@pincer/sdk/testing";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSay } from "../infra/texts.ts";
import { createEffectRate } from "./effect-rate.ts";

function stage(limits = { messagesPerMinute: 3, deletedFiles: 50 }) {
  const clock = createHandClock();
  return { clock, limits, rate: createEffectRate({ clock, limits: () => limits, say: createSay("en") }) };
}

const times = <Result>(count: number, work: () => Result): Result[] => Array.from({ length: count }, work);

describe("the rate of effects", () => {
  it("ends a burst of messages and says which limit it was", () => {
    const { rate } = stage();
    const verdicts = times(4, () => rate.take("main", "message"));
    expect(verdicts.map(({ ok }) => ok)).toEqual([true, true, true, false]);
    expect(verdicts[3]).toMatchObject({ reason: expect.stringContaining("tools.limits.messagesPerMinute") });
  });

  it("counts each agent for itself", () => {
    const { rate } = stage();
    times(3, () => rate.take("main", "message"));
    expect([rate.take("main", "message").ok, rate.take("other", "message").ok]).toEqual([false, true]);
  });

  it("lets more through when a minute has passed, or when the config allows more", async () => {
    const { rate, clock, limits } = stage();
    times(3, () => rate.take("main", "message"));
    await clock.advance(59_999);
    expect(rate.take("main", "message").ok).toBe(false);
    await clock.advance(1);
    expect(rate.take("main", "message").ok).toBe(true);
    times(2, () => rate.take("main", "message"));
    limits.messagesPerMinute = 4;
    expect(times(2, () => rate.take("main", "message").ok)).toEqual([true, false]);
  });

  it("never lets more through within any minute than it may", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(40_000), { maxLength: 60 }), async (pauses) => {
        const { rate, clock } = stage();
        const taken: number[] = [];
        for (const pause of pauses) {
          await clock.advance(pause);
          if (rate.take("main", "message").ok) taken.push(clock.now());
        }
        const most = Math.max(
          0,
          ...taken.map((at) => taken.filter((other) => other > at - 60_000 && other <= at).length),
        );
        expect(most).toBeLessThanOrEqual(3);
      }),
    );
  });

  it("ends a turn that deletes more files than it may", () => {
    const { rate } = stage();
    expect(rate.deleted(50)).toEqual({ ok: true });
    expect(rate.deleted(51)).toMatchObject({ ok: false, reason: expect.stringContaining("51 files") });
  });
});
