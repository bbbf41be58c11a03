/** Which files a call would change, for arguments of any shape: rather one too many. */
import { controlled, type CallFacts } from "../call-facts.ts";

export type ChangingCall = Pick<CallFacts, "tool" | "effect" | "controls" | "arguments" | "changes">;

/**
 * As the call spells them, each once. Of a tool that acts only those that it declares: its other paths are mostly read.
 * `memory_append` is not covered: it labels what it writes. Pure.
 */
export function changedPaths(call: ChangingCall): string[] {
  if (call.effect === "read" || call.tool === "memory_append") return [];
  const declared = Array.isArray(call.changes) ? call.changes : [];
  const written = call.effect === "write" ? writtenPaths(call) : [];
  return [...new Set([...declared, ...written])];
}

function writtenPaths(call: ChangingCall): string[] {
  const { patch } = call.arguments;
  const named = pathArguments.map((name) => call.arguments[name]);
  const steering = controlled(call, "path")
    .filter(({ argument }) => argument !== "patch")
    .map(({ value }) => value);
  return [
    ...named.filter((path) => typeof path === "string"),
    ...steering,
    ...(typeof patch === "string" ? namedInPatch(patch) : []),
  ];
}

const pathArguments = ["path", "file", "from", "to", "target", "destination"];

const namedInPatch = (patch: string): string[] =>
  patch.split(/\r?\n/).flatMap((line) => {
    const path = /^\s*\*\*\* (?:(?:Add|Update|Delete) File|Move to):(.*)$/s.exec(line)?.[1];
    return path === undefined ? [] : [path.trim()];
  });
