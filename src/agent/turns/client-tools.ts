/** Tools of the caller: the model sees them beside ours, and a call of one goes back to the caller. */
import type { ToolDescription } from "@pincer/sdk";
import type { TurnTools } from "../settle-calls.ts";
import { failure } from "../../infra/failure.ts";
import type { ToolSet } from "../../tools/tool-set.ts";

/** Throws PincerError `usage/bad-argument` for a name that one of our own answers to: nobody could tell whose was called. */
export function requireOtherNames(own: Pick<ToolSet, "find">, brought: readonly ToolDescription[]): void {
  const clash = brought.find(({ name }) => own.find(name));
  if (!clash) return;
  const { name } = clash;
  throw failure("usage/bad-argument", "openai.tool-clash", { name }, { hint: "openai.tool-clash.hint" });
}

export function withClientTools<Tools extends TurnTools>(
  tools: Tools,
  brought: readonly ToolDescription[] = [],
): Tools & TurnTools {
  if (brought.length === 0) return tools;
  const names = new Set(brought.map(({ name }) => name));
  const isHandedOver: NonNullable<TurnTools["isHandedOver"]> = ({ name }) => names.has(name);
  return {
    ...tools,
    descriptions: [...tools.descriptions, ...brought],
    isHandedOver,
    admit: async (call, signal, asking) =>
      isHandedOver(call) ? { type: "hand-over" } : tools.admit(call, signal, asking),
  };
}
