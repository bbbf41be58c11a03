/** Finds every simple command of a parsed script, wherever it stands: in loops, functions, substitutions, here-documents. */
import type { Command, ParsedScript, Redirection, SyntaxNode } from "unbash";
import type { SeenRedirect, SimpleCommand, Standing } from "./command-reading.ts";
import { seeArgument, seeValue, seeWord } from "./seen-word.ts";

/** A simple command, and the texts that it is given to read. */
export interface FoundCommand {
  command: SimpleCommand;
  documents: readonly string[];
}

export interface ScriptParts {
  forEachChild(node: SyntaxNode, callback: (child: SyntaxNode) => void): void;
}

/** Throws UnreadablePart where a part of it is no shell. A list of things to do and no recursion: the text decides how deep it goes. */
export function findCommands(
  script: ParsedScript,
  standing: readonly Standing[],
  { forEachChild }: ScriptParts,
): FoundCommand[] {
  const found: FoundCommand[] = [];
  const ahead: Array<{ node: SyntaxNode; standing: readonly Standing[] }> = [{ node: script, standing }];
  for (let next = ahead.pop(); next; next = ahead.pop()) {
    const { node } = next;
    if (node.type === "Script" && node.errors?.[0]) throw new UnreadablePart(node.errors[0].message);
    if (node.type === "Command") found.push(seeCommand(node, next.standing));
    if (node.type === "TestCommand") found.push(seeExpression("[[", next.standing));
    if (node.type === "ArithmeticCommand") found.push(seeExpression("((", next.standing));
    if (node.type === "Redirected") found.push(seeRedirects(node.redirects, next.standing));
    const inside = standingOf(node, next.standing);
    const children: SyntaxNode[] = [];
    forEachChild(node, (child) => children.push(child));
    for (const child of children.reverse()) ahead.push({ node: child, standing: inside });
  }
  return found;
}

/** A part that only comes to light on the way, such as what stands in a substitution. */
export class UnreadablePart extends Error {
  override readonly name = "UnreadablePart";
}

const standings: Partial<Record<SyntaxNode["type"], Standing>> = {
  Pipeline: "pipeline",
  Subshell: "subshell",
  CommandExpansion: "substitution",
  ProcessSubstitution: "substitution",
  ArithmeticCommandExpansion: "substitution",
  Function: "function",
  HereDocBody: "here-document",
  Coproc: "background",
};

function standingOf(node: SyntaxNode, standing: readonly Standing[]): readonly Standing[] {
  const own = node.type === "Statement" && node.background ? "background" : standings[node.type];
  return own === undefined ? standing : [...standing, own];
}

function seeCommand(node: Command, standing: readonly Standing[]): FoundCommand {
  const words = [...(node.name ? [seeWord(node.name)] : []), ...node.args.map(seeArgument)];
  const assignments = node.prefix.flatMap((part) =>
    part.type === "Assignment" ? [{ name: part.name, value: seeValue(part) }] : [],
  );
  const { command, documents } = seeRedirects(node.redirects, standing);
  return { command: { ...command, words, assignments }, documents };
}

/** It runs no program, but the shell may find a substitution in a text that it evaluates. */
const seeExpression = (sign: string, standing: readonly Standing[]): FoundCommand => ({
  ...seeRedirects([], standing),
  command: { ...seeRedirects([], standing).command, words: [{ type: "fixed", text: sign }] },
});

function seeRedirects(redirects: readonly Redirection[], standing: readonly Standing[]): FoundCommand {
  return {
    command: {
      words: [],
      assignments: [],
      redirects: redirects.map(seeRedirect),
      standing,
      hasMoreWords: false,
    },
    documents: redirects.flatMap((redirect) => {
      if (redirect.type === "HereDoc") return [redirect.body.text];
      return redirect.type === "HereString" && redirect.target ? [redirect.target.value] : [];
    }),
  };
}

function seeRedirect(redirect: Redirection): SeenRedirect {
  const { operator } = redirect;
  if (redirect.type !== "Redirect") return { operator, target: undefined, writes: false };
  const target = redirect.target && seeWord(redirect.target);
  const isDescriptor = target?.type === "fixed" && /^(?:\d+-?|-)$/.test(target.text);
  const writes = operator !== "<" && !((operator === ">&" || operator === "<&") && isDescriptor);
  return { operator, target, writes };
}
