import type { Entry, MessageEntry } from "@pincer/sdk";
import type { EntryStore } from "../../storage/stores.ts";
import type { SaidLine, SaidPage } from "../../tools/conversation/conversation-doors.ts";

const pageSize = 100;
const mostPages = 10;

/** What people and the agent said and did not take back, oldest first; of tools only which were used. At most so many messages, and as far back as a few pages go. */
export async function readHistory(
  entries: Pick<EntryStore, "before" | "asides">,
  sessionId: string,
  { limit, before = Number.MAX_SAFE_INTEGER }: { limit: number; before?: number | undefined },
): Promise<Omit<SaidPage, "sessionKey">> {
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

/** A line for each piece that has a label of its own. */
function linesOf({ seq, time, message }: MessageEntry): SaidLine[] {
  if (message.role === "assistant") {
    const words = message.content.map((block) => {
      if (block.type === "text") return block.text;
      return block.type === "toolCall" ? `[used ${block.name}]` : "";
    });
    const text = words.filter((word) => word.trim() !== "").join(" ");
    return text === "" ? [] : [{ seq, time, origin: "assistant", text }];
  }
  if (message.role !== "user") return [];
  return message.content.flatMap((block): SaidLine[] =>
    block.type === "text"
      ? [{ seq, time, origin: block.origin, from: block.from, text: block.text }]
      : [{ seq, time, origin: "quoted", text: "[picture]" }],
  );
}
