/** The parts of a call that concern others, as its tool declares and resolves them. */
import type { ControlKind, Origin, ToolEffect } from "@pincer/sdk";

export interface CallFacts {
  tool: string;
  effect: ToolEffect;
  controls: Readonly<Record<string, ControlKind>>;
  /** Arguments whose content leaves the machine. */
  leaves: readonly string[];
  arguments: Readonly<Record<string, unknown>>;
  /** What the tool says that it changes in the workdir. */
  changes?: readonly string[] | "anything" | undefined;
  /** The recipient, as the tool resolves it: `channel/account:id`, an address. */
  recipient?: string | undefined;
  /** Whether that is the conversation that the turn answers. */
  isOwnConversation?: boolean | undefined;
  /** The origin of its results. */
  looksAt?: Origin | undefined;
}

/** The texts of the arguments of one kind, each with its argument. Pure. */
export const controlled = (
  { controls, arguments: given }: Pick<CallFacts, "controls" | "arguments">,
  ...kinds: ControlKind[]
): Array<{ argument: string; value: string }> =>
  Object.entries(controls).flatMap(([argument, kind]) =>
    kinds.includes(kind) ? textsIn(given[argument]).map((value) => ({ argument, value })) : [],
  );

/** All texts in an argument, at any depth, names of fields included; numbers and switches as texts. Pure. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [
    ...(Array.isArray(value) ? [] : [name]),
    ...textsIn(each),
  ]);
}
