/**
 * A session as Markdown, entry by entry in order: what was said, by whom and when. Hidden entries stay, and are marked
 * as such.
 */
import { textOf, type Entry } from "@pincer/sdk";

/** `clean`: what is done to words that people and models chose. */
export function beginMarkdown(clean: (text: string) => string = (text) => text): (entry: Entry) => string {
  const written: number[] = [];
  return (entry) => {
    if (entry.type === "session") return `# ${entry.sessionKey}\n\n`;
    if (entry.type === "event" && entry.name === "set-aside") {
      const from = Number(entry.data["from"]);
      const count = written.filter((seq) => seq >= from).length;
      return count === 0 ? "" : `> Superseded messages above, not shown to the model: ${count}\n\n`;
    }
    if (entry.type === "event" && entry.name === "entry-lost")
      return "> A damaged disk has lost an entry here.\n\n";
    const text = entry.type === "message" ? clean(textOf(entry.message)) : "";
    if (entry.type !== "message" || text === "") return "";
    written.push(entry.seq);
    return `## ${entry.message.role} · ${entry.time}\n\n${text}\n\n`;
  };
}
