import type { AssistantMessage, EntryBody } from "@pincer/sdk";

/** Words that were read once must not be read for tags again: names stand for them on the way through the loop. */
export function createHiddenWords() {
  const words: string[] = [];
  const pattern = /^hidden words (\d+)$/;
  const isSpecial = (text: string) => /<|\[\[/.test(text) || pattern.test(text);
  const mapTexts = (message: AssistantMessage, change: (text: string) => string): AssistantMessage => ({
    ...message,
    content: message.content.map((block) =>
      block.type === "text" ? { ...block, text: change(block.text) } : block,
    ),
  });
  return {
    hide: (message: AssistantMessage) =>
      mapTexts(message, (text) => (isSpecial(text) ? `hidden words ${words.push(text) - 1}` : text)),
    show(body: EntryBody): EntryBody {
      if (body.type !== "message" || body.message.role !== "assistant") return body;
      const message = mapTexts(body.message, (text) => {
        const found = pattern.exec(text);
        return found ? (words[Number(found[1])] ?? text) : text;
      });
      return { ...body, message };
    },
  };
}
