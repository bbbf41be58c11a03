import { expect, it } from "vitest";
import { createSerialWork } from "./serial-work.ts";

/** Work that goes on until it is let go, and tells when it begins. */
function stage() {
  const { run } = createSerialWork();
  const told: string[] = [];
  const begin = (name: string, how: { ifFree?: boolean; signal?: AbortSignal } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const done = run(() => {
      told.push(name);
      return promise;
    }, how);
    return { done, end: () => resolve(name), fail: () => reject(new Error(name)) };
  };
  return { run, begin, told };
}

it("COMP-03 does one thing at a time, in the order in which they came", async () => {
  const { begin, told } = stage();
  const [one, two, three] = [begin("one"), begin("two"), begin("three")];
  two.end();
  await Promise.resolve();
  expect(told).toEqual(["one"]);
  one.end();
  expect([await one.done, await two.done]).toEqual(["one", "two"]);
  three.end();
  expect(await three.done).toBe("three");
  expect(told).toEqual(["one", "two", "three"]);
});

it("COMP-03 answers a caller that does not want to wait at once, and leaves its work undone", async () => {
  const { begin, told } = stage();
  const one = begin("one");
  expect(await begin("two", { ifFree: true }).done).toBeUndefined();
  one.end();
  await one.done;
  const three = begin("three", { ifFree: true });
  expect(await begin("four", { ifFree: true }).done).toBeUndefined();
  three.end();
  expect(await three.done).toBe("three");
  expect(told).toEqual(["one", "three"]);
});

it("COMP-03 is free again after a failure, and reports it to its caller", async () => {
  const { run, begin } = stage();
  const [one, two] = [begin("one"), begin("two")];
  one.fail();
  await expect(one.done).rejects.toThrow("one");
  two.end();
  expect(await two.done).toBe("two");
  const thrown = run(() => {
    throw new Error("at once");
  });
  await expect(thrown).rejects.toThrow("at once");
  expect(await run(async () => "free", { ifFree: true })).toBe("free");
});

it("COMP-03 releases a caller that stops waiting, skips its work, and keeps the order of the others", async () => {
  const { begin, told } = stage();
  const stop = new AbortController();
  const one = begin("one");
  const two = begin("two", { signal: stop.signal });
  const three = begin("three");
  stop.abort();
  expect(await two.done).toBeUndefined();
  expect(told).toEqual(["one"]);
  one.end();
  await one.done;
  three.end();
  expect(await three.done).toBe("three");
  expect(told).toEqual(["one", "three"]);
});

it("COMP-03 does nothing for a caller that has stopped before, and is free when all have left", async () => {
  const { run, begin, told } = stage();
  const stop = new AbortController();
  const one = begin("one");
  const two = begin("two", { signal: stop.signal });
  stop.abort();
  await two.done;
  expect(await begin("three", { signal: stop.signal }).done).toBeUndefined();
  one.end();
  await one.done;
  expect(await run(async () => "free", { ifFree: true })).toBe("free");
  expect(told).toEqual(["one"]);
});
