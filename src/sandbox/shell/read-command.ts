/**
 * Reads a command as a shell would, with a parser and never with patterns: what it runs, with which words, and what it writes to. What the
 * shell makes up only while it runs is marked as such.
 */
import { createRecent } from "@pincer/sdk";
import type { ParsedScript } from "unbash";
import type { CommandReading, SimpleCommand, Standing } from "./command-reading.ts";
import { findCommands, UnreadablePart, type FoundCommand, type ScriptParts } from "./walk-script.ts";
import { innerCommands, type Inner } from "./wrappers.ts";

/** Never throws. The parser is loaded when it is needed first. */
export async function readCommand(text: string): Promise<CommandReading> {
  const known = lastRead.get(text);
  if (known) return known;
  const { parse, forEachChild } = await import("unbash");
  const reading = readScript(text, { parse, forEachChild, left: { ...mostWork } });
  if (text.length <= longest) lastRead.set(text, reading);
  return reading;
}

/** The same call is read for its rules, for its approval and before it runs. What a text says never changes. */
const lastRead = createRecent<CommandReading>(8);

interface Parser extends ScriptParts {
  parse(source: string): ParsedScript;
  /** What may still be read of this command, the commands inside it included. */
  left: { characters: number; scans: number };
}

function readScript(text: string, parser: Parser): CommandReading {
  const problem = tooMuch(text, parser);
  if (problem !== undefined) return { type: "unreadable", reason: problem };
  try {
    const commands: SimpleCommand[] = [];
    const script = parser.parse(text);
    for (const found of findCommands(script, [], parser)) unwrap(found, parser, commands, 0);
    if (script.commands.length === 0) return { type: "unreadable", reason: "there is no command in it" };
    return { type: "read", commands };
  } catch (error) {
    if (error instanceof UnreadablePart) return { type: "unreadable", reason: error.message };
    if (error instanceof RangeError) return { type: "unreadable", reason: "it is nested too deeply" };
    throw error;
  }
}

/** The command, and behind it what it runs in turn. */
function unwrap(
  { command, documents }: FoundCommand,
  parser: Parser,
  commands: SimpleCommand[],
  depth: number,
): void {
  const at = commands.push(command) - 1;
  const standing: Standing[] = [...command.standing, "wrapped"];
  const hidden: string[] = [];
  for (const inner of innerCommands(command, documents)) {
    if (depth >= deepest) hidden.push("programs run programs too deeply");
    else hidden.push(...follow(inner, standing, parser, commands, depth));
  }
  if (hidden.length > 0) commands[at] = { ...command, hides: hidden.join("; ") };
}

/** Answers with what could not be seen. */
function follow(
  inner: Inner,
  standing: readonly Standing[],
  parser: Parser,
  commands: SimpleCommand[],
  depth: number,
): string[] {
  if (inner.type === "hidden") return [inner.reason];
  if (inner.type === "words") {
    const { words, hasMoreWords, assignments } = inner;
    const command = { words, hasMoreWords, assignments, redirects: [], standing };
    unwrap({ command, documents: [] }, parser, commands, depth + 1);
    return [];
  }
  const missing = inner.isWhole ? [] : ["a part of its command comes only while it runs"];
  if (tooMuch(inner.text, parser) !== undefined) return ["its command is too long to be read"];
  try {
    for (const found of findCommands(parser.parse(inner.text), standing, parser))
      unwrap(found, parser, commands, depth + 1);
    return missing;
  } catch (error) {
    if (error instanceof UnreadablePart) return [`its command cannot be read: ${error.message}`];
    throw error;
  }
}

const deepest = 16;
/** Nobody else's turn goes on while a command is read: none may hold the thread for longer than a moment. */
const longest = 16_000;
const mostWork = { characters: 1.5 * longest, scans: 4_000_000 };

function tooMuch(text: string, { left }: Parser): string | undefined {
  if (text.includes("\0")) return "it holds a NUL character";
  left.characters -= text.length;
  if (text.length > longest || left.characters < 0)
    return `it is longer than ${longest} characters; write it into a file and run that`;
  left.scans -= opened(text) * text.length;
  return left.scans < 0
    ? "it opens too many braces, substitutions and here-documents; write it into a file and run that"
    : undefined;
}

/** What the parser looks for the end of, perhaps through all the rest of the text; for `$[` it does so again and again. */
function opened(text: string): number {
  let weight = 0;
  for (const [sign] of text.matchAll(/\$[[({]|[<>]\(|<<|`|\{(?!\s)/g)) weight += sign === "$[" ? 10 : 1;
  return weight;
}
