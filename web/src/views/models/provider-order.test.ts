import { expect, it } from "vitest";
import { inOrder } from "./provider-order.ts";

it("puts the providers that most people mean first, and the others by their names", () => {
  const named = (id: string, name = id) => ({ id, name });
  const given = [named("zai", "Z.ai"), named("openai", "OpenAI"), named("a-1", "Nebius"), named("anthropic")];
  const { popular, others } = inOrder(given);
  expect(popular.map(({ id }) => id)).toEqual(["anthropic", "openai"]);
  expect(others.map(({ name }) => name)).toEqual(["Nebius", "Z.ai"]);
});
