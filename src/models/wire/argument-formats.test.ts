import { expect, it } from "vitest";
import { argumentFormats, hasFinish } from "./argument-formats.ts";

it("an answer has come to its end where the server names a reason, not where it leaves the place for one empty", () => {
  const format = argumentFormats["openai-completions"];
  const event = (finish: unknown) => ({ choices: [{ delta: { content: "x" }, finish_reason: finish }] });
  expect(
    ["stop", "length", "", null, undefined].map((finish) => format && hasFinish(event(finish), format)),
  ).toEqual([true, true, false, false, false]);
});
