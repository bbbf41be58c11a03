/** The contract of every clock about delayed calls; `pass` advances its time. */
import { expect, it } from "vitest";
import type { Clock } from "../clock.ts";

export function describeCallsAfter(
  name: string,
  make: () => { clock: Clock; pass(ms: number): Promise<void> },
) {
  it(`${name} calls once when the time is over, and not before`, async () => {
    const { clock, pass } = make();
    const calls: string[] = [];
    clock.after(30, () => calls.push("late"));
    clock.after(10, () => calls.push("soon"));
    clock.after(0, () => calls.push("next"));
    expect(calls).toEqual([]);
    await pass(60);
    expect(calls).toEqual(["next", "soon", "late"]);
    await pass(60);
    expect(calls).toEqual(["next", "soon", "late"]);
  });

  it(`${name} does not call when it was told so first, however often`, async () => {
    const { clock, pass } = make();
    const calls: string[] = [];
    const stop = clock.after(10, () => calls.push("stopped"));
    const stopLater = clock.after(20, () => calls.push("called"));
    stop();
    stop();
    await pass(60);
    stopLater();
    stop();
    expect(calls).toEqual(["called"]);
  });

  it(`${name} lets what is called wait again, and stop others`, async () => {
    const { clock, pass } = make();
    const calls: string[] = [];
    clock.after(10, () => {
      calls.push("first");
      stop();
      clock.after(10, () => calls.push("again"));
    });
    const stop = clock.after(20, () => calls.push("never"));
    await pass(80);
    expect(calls).toEqual(["first", "again"]);
  });
}
