import { describe, expect, it } from "vitest";
import { createRunAgain } from "./run-again.ts";

const settle = async () => {
  for (let tick = 0; tick < 10; tick++) await Promise.resolve();
};

function setUp() {
  const running: Array<PromiseWithResolvers<void>> = [];
  const errors: unknown[] = [];
  const stop = new AbortController();
  const ask = createRunAgain(
    () => {
      const run = Promise.withResolvers<void>();
      running.push(run);
      return run.promise;
    },
    { signal: stop.signal, onError: (error) => errors.push(error) },
  );
  return { ask, running, errors, stop };
}

describe("work that is run again", () => {
  it("runs once more, and only once, however often it was asked for meanwhile", async () => {
    const { ask, running } = setUp();
    ask();
    ask();
    ask();
    expect(running).toHaveLength(1);
    running[0]?.resolve();
    await settle();
    expect(running).toHaveLength(2);
    running[1]?.resolve();
    await settle();
    expect(running).toHaveLength(2);
    ask();
    expect(running).toHaveLength(3);
  });

  it("tells what it throws and goes on, but says nothing of what a stop throws", async () => {
    const { ask, running, errors, stop } = setUp();
    ask();
    running[0]?.reject(new Error("no network"));
    await settle();
    expect(errors).toEqual([new Error("no network")]);
    ask();
    stop.abort();
    running[1]?.reject(new Error("stopped"));
    await settle();
    ask();
    await settle();
    expect(errors).toHaveLength(1);
    expect(running).toHaveLength(2);
  });
});
