import { wellFormedMessages, type Message } from "@pincer/sdk";
import { encodeLine } from "../line-codec.ts";
import type { TranscriptReading } from "../read-transcript.ts";

/** What a reading of a damaged file breaks of the reader's promises; empty when it keeps them all. */
export function flawsOfReading(
  reading: TranscriptReading,
  damaged: Buffer,
  originalLines: ReadonlySet<string>,
): string[] {
  const flaws: string[] = [];
  const kept = new Set(reading.entries.map((entry) => encodeLine(entry)));
  for (const line of kept)
    if (!originalLines.has(line)) flaws.push(`accepted a line that was never written: ${line}`);
  for (const line of damaged.toString("utf8").split("\n")) {
    if (originalLines.has(line) && !kept.has(line)) flaws.push(`lost an undamaged line: ${line}`);
  }
  const isRising = reading.entries.every(
    (entry, index) => entry.seq > (reading.entries[index - 1]?.seq ?? 0),
  );
  if (!isRising) flaws.push("entries are out of order");

  const messages = reading.entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  return [...flaws, ...flawsOfMessages(wellFormedMessages(messages).messages)];
}

function flawsOfMessages(messages: Message[]): string[] {
  const flaws: string[] = [];
  const seen = new Set<string>();
  let open: string[] = [];
  const requireAnswered = () => {
    if (open.length > 0) flaws.push(`calls without a result: ${open.join(", ")}`);
  };
  for (const message of messages) {
    if (message.role === "toolResult") {
      if (open.shift() !== message.toolCallId) flaws.push(`a result out of place: ${message.toolCallId}`);
      continue;
    }
    requireAnswered();
    open = message.content.flatMap((block) => (block.type === "toolCall" ? [block.id] : []));
    for (const id of open) {
      if (seen.has(id)) flaws.push(`a call id twice: ${id}`);
      seen.add(id);
    }
  }
  requireAnswered();
  return flaws;
}
