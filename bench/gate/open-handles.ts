/** Earlier turns stand in a request as handles, `[#14 answer, 812 characters; … recall opens one.]`: which to open next. */
import { textOf, type Message, type ModelRequest } from "@pincer/sdk";

/** In one turn: a person's memory gives up at some point, too. */
const mostOpened = 6;

/** The number of a handle that the turn has not opened: answers last, the newest first. Undefined: there is none, or enough. */
export function nextHandle(
  { messages, tools }: Pick<ModelRequest, "messages" | "tools">,
  turn: readonly Message[],
): number | undefined {
  if (!tools.some(({ name }) => name === "recall")) return undefined;
  const opened = turn.flatMap((message) =>
    message.role === "assistant"
      ? message.content.flatMap((block) =>
          block.type === "toolCall" && block.name === "recall" ? [Number(block.arguments["handle"])] : [],
        )
      : [],
  );
  if (opened.length >= mostOpened) return undefined;
  const handles = messages
    .flatMap((message) => [...textOf(message).matchAll(/\[(#\d+ [^\]]*)recall opens one\.\]/g)])
    .flatMap(([, list = ""]) => [...list.matchAll(/#(\d+) ([^,;.\]]+)/g)])
    .map(([, number = "", kind = ""]) => ({ number: Number(number), isAnswer: kind.startsWith("answer") }))
    .filter(({ number }) => !opened.includes(number))
    .toSorted((a, b) => Number(a.isAnswer) - Number(b.isAnswer) || b.number - a.number);
  return handles[0]?.number;
}
