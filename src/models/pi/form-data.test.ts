import { expect, it } from "vitest";
import { FormDataOfNode } from "./form-data.ts";

it("a form is Node's own, and nothing else is a form", () => {
  const made: unknown = new FormDataOfNode();
  expect(made).toBeInstanceOf(FormData);
  expect([made, new FormData(), {}, null, "form"].map((value) => value instanceof FormDataOfNode)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
