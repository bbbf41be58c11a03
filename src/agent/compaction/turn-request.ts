/** The literal request of a turn that is cut in two, so that the rest of the turn does not depend on a paraphrase. */
import { textOf, type MessageEntry } from "@pincer/sdk";
import { headAndTail } from "./shorten.ts";

/** What people said in the beginning of the turn, after what was taken over from an earlier cut. */
export function requestText(earlier: string, prefix: readonly MessageEntry[], contextWindow: number): string {
  const said = prefix.flatMap(({ message, seq }) =>
    message.role === "user" ? [`#${seq}: ${textOf(message).trim()}`] : [],
  );
  const text = [earlier, ...said].filter(Boolean).join("\n");
  if (text === "") return "";
  const shown = headAndTail(text, Math.min(3000, Math.max(400, Math.floor(contextWindow * 0.2))));
  return `${title}\n${shown.replaceAll(/^/gmu, quote)}`;
}

/** Parts what `requestText` made from what follows it. */
export function readRequest(turn: string): { request: string; rest: string } {
  const [first, ...lines] = turn.split("\n");
  if (first !== title) return { request: "", rest: turn };
  const end = lines.findIndex((line) => !line.startsWith(quote));
  const quoted = end < 0 ? lines : lines.slice(0, end);
  const rest = end < 0 ? "" : lines.slice(end).join("\n").trim();
  return { request: quoted.map((line) => line.slice(quote.length)).join("\n"), rest };
}

const title = "What was asked for, word for word:";
const quote = "> ";
