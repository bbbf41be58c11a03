import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createOrderedWork } from "./ordered-work.ts";

function stage() {
  const clock = createHandClock();
  const errors: unknown[] = [];
  const work = createOrderedWork({ clock, onError: (error) => errors.push(error) });
  const log: string[] = [];
  return { clock, errors, work, log };
}

describe("ordered work", () => {
  it("keeps the order within a key while other keys go on", async () => {
    const { work, log } = stage();
    let open = () => {};
    const gate = new Promise<void>((resolve) => (open = resolve));
    const first = work.add("a", async () => {
      await gate;
      log.push("a1");
    });
    const second = work.add("a", async () => void log.push("a2"));
    await work.add("b", async () => void log.push("b1"));
    expect(log).toEqual(["b1"]);
    expect([work.isBusy("a"), work.isBusy("b"), work.size()]).toEqual([true, false, 2]);
    open();
    await Promise.all([first, second]);
    expect(log).toEqual(["b1", "a1", "a2"]);
    await work.idle();
    expect(work.size()).toBe(0);
  });

  it("tries what throws again after 1 s, 2 s, 4 s …, and holds up only its own key", async () => {
    const { work, log, clock, errors } = stage();
    let tries = 0;
    const failing = work.add("a", async () => {
      if (++tries < 4) throw new Error("no");
      log.push("a1");
    });
    void work.add("a", async () => void log.push("a2"));
    for (const seconds of [1, 2, 4]) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(seconds * 1000 - 1);
      expect(log).toEqual([]);
      await clock.advance(1);
    }
    await failing;
    await work.idle();
    expect(log).toEqual(["a1", "a2"]);
    expect(errors).toHaveLength(3);
  });

  it("leaves undone what waits when it closes", async () => {
    const { work, log, clock } = stage();
    const failing = work.add("a", () => Promise.reject(new Error("no")));
    const waiting = work.add("a", async () => void log.push("a2"));
    await clock.advance(1);
    await work.close();
    await Promise.all([failing, waiting]);
    expect(log).toEqual([]);
    expect(clock.sleeping()).toBe(0);
  });
});
