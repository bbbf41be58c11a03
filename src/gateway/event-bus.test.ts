import { createHandClock } from "@pincer/sdk/testing";
import { describe, expect, it } from "vitest";
import { createEventBus, type Told } from "./event-bus.ts";

const changed = { event: "config.changed", payload: { inForce: true } } as const;

describe("the event bus", () => {
  it("GW-11 tells everybody who listens, in order, with a version that rises by one", () => {
    const bus = createEventBus({ clock: createHandClock() });
    const heard: Told[][] = [[], []];
    for (const each of heard) bus.subscribe((told) => each.push(told));
    const before = bus.stateVersion();
    bus.publish(changed, { agentId: "a" });
    bus.publish({ event: "gateway.stopping", payload: { restarts: false } });
    expect(heard[0]).toEqual([
      { event: changed, topic: "config", stateVersion: before + 1, agentId: "a" },
      expect.objectContaining({ topic: null, stateVersion: before + 2, agentId: undefined }),
    ]);
    expect(heard[1]).toEqual(heard[0]);
    expect(bus.stateVersion()).toBe(before + 2);
  });

  it("GW-11 goes on above where the last start ended", async () => {
    const clock = createHandClock();
    const first = createEventBus({ clock });
    for (let index = 0; index < 500; index++) first.publish(changed);
    await clock.advance(1000);
    expect(createEventBus({ clock }).stateVersion()).toBeGreaterThan(first.stateVersion());
  });

  it("tells the others when one listens badly, and nobody who has stopped", () => {
    const bus = createEventBus({ clock: createHandClock() });
    let heard = 0;
    bus.subscribe(() => {
      throw new Error("bad ears");
    });
    const stop = bus.subscribe(() => void heard++);
    bus.publish(changed);
    stop();
    bus.publish(changed);
    expect(heard).toBe(1);
  });
});
