import type { Entry, MessageEntry } from "@pincer/sdk";
import type { EntryStore } from "../../storage/stores.ts";
import type { HistoryLine, HistoryPage } from "../../tools/conversation/conversation-access.ts";

const pageSize = 100;
const mostPages = 10;

/**
 * Messages of people and the agent that were not retracted, oldest first; of tool calls only the names. At most
 * `limit` messages, from the last few pages.
 */
export async function readHistory(
  entries: Pick<EntryStore, "before" | "asides">,
  sessionId: string,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number | undefined },
): Promise<Omit<HistoryPage, "sessionKey">> {
  const said: MessageEntry[] = [];
  const asides = await entries.asides(sessionId);
  const isMeant = ({ seq }: Entry) => !asides.some(({ from, to }) => seq >= from && seq <= to);
  let at = before;
  for (let page = 0; page < mostPages && said.length <= limit && at > 1; page++) {
    const found = await entries.before(sessionId, at, pageSize);
    said.unshift(...found.filter(isSaid).filter(isMeant));
    at = found[0]?.seq ?? 1;
  }
  const shown = said.slice(-limit);
  const isMore = said.length > limit || at > 1;
  return { lines: shown.flatMap(linesOf), before: isMore ? (shown[0]?.seq ?? at) : undefined };
}

const isSaid = (entry: Entry): entry is MessageEntry =>
  entry.type === "message" && entry.message.role !== "toolResult";

/** One line per block that has its own label. */
function linesOf({ seq, time, message }: MessageEntry): HistoryLine[] {
  if (message.role === "assistant") {
    const words = message.content.map((block) => {
      if (block.type === "text") return block.text;
      return block.type === "toolCall" ? `[used ${block.name}]` : "";
    });
    const text = words.filter((word) => word.trim() !== "").join(" ");
    return text === "" ? [] : [{ seq, time, origin: "assistant", text }];
  }
  if (message.role !== "user") return [];
  return message.content.flatMap((block): HistoryLine[] =>
    block.type === "text"
      ? [{ seq, time, origin: block.origin, from: block.from, text: block.text }]
      : [{ seq, time, origin: "quoted", text: "[picture]" }],
  );
}
