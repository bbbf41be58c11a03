/** Failed calls, so that they are not repeated after their messages were compacted. */
import { textOf, type Message, type ToolResultMessage } from "@pincer/sdk";
import { oneLine } from "../../infra/one-line.ts";
import { beginning } from "./shorten.ts";

const mostFailures = 8;
const mostChars = 240;

/** One line each, the newest eight; the number of earlier ones is below. */
export function toolFailures(messages: readonly Message[], maxChars = mostChars): string[] {
  const failed = messages.filter((message): message is ToolResultMessage => {
    return message.role === "toolResult" && (message.isError || (exitCodeOf(message) ?? 0) !== 0);
  });
  const lines = failed.slice(-mostFailures).map((result) => {
    const said = oneLine(textOf(result)) || "no message";
    return `- ${oneLine(result.toolName)} (${statusOf(result)}): ${beginning(said, maxChars)}`;
  });
  const before = failed.length - lines.length;
  return before > 0 ? [...lines, `(and ${before} before these)`] : lines;
}

function statusOf(result: ToolResultMessage): string {
  const exitCode = exitCodeOf(result);
  return exitCode === undefined ? "status=error" : `exitCode=${exitCode}`;
}

/** A program that ran and failed is no error of its tool. */
const exitCodeOf = ({ details }: ToolResultMessage): number | undefined =>
  numberAt(details, "exitCode") ?? numberAt(fieldOf(details, "data"), "exitCode");

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;

function numberAt(value: unknown, name: string): number | undefined {
  const field = fieldOf(value, name);
  return typeof field === "number" ? field : undefined;
}
