import { expect, it } from "vitest";
import { createOneAtATime } from "./one-at-a-time.ts";

it("does work on one thing in the order it came, and work on another meanwhile", async () => {
  const oneAtATime = createOneAtATime();
  const done: string[] = [];
  const first = Promise.withResolvers<void>();
  const work = [
    oneAtATime("a", async () => {
      await first.promise;
      done.push("a1");
    }),
    oneAtATime("a", async () => void done.push("a2")),
  ];
  await oneAtATime("b", async () => void done.push("b"));
  expect(done).toEqual(["b"]);
  first.resolve();
  await Promise.all(work);
  expect(done).toEqual(["b", "a1", "a2"]);
});

it("reports a failure to its caller, and continues with the next", async () => {
  const oneAtATime = createOneAtATime();
  const failing = oneAtATime("a", () => Promise.reject(new Error("no")));
  const next = oneAtATime("a", async () => "done");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("done");
});
