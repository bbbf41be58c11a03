import { clean, joinLabels, type Label } from "@pincer/sdk";
import type { ShownText } from "../../gate/call-context.ts";
import { isFromOwnerAlone } from "../../storage/sessions/summary-title.ts";
import type { Prompt, PromptPart } from "./prompt.ts";

/**
 * The parts of a prompt, each with its label. They are the product's and the owner's: files and skills are shown in
 * the version that the owner accepted. A summary counts as ours only if it says that it is made of the owner's words
 * alone. Pure.
 */
export const promptTexts = ({ parts }: Pick<Prompt, "parts">): ShownText[] =>
  parts
    .filter(({ text }) => text !== "")
    .map((part) => ({ text: part.text, origin: "prompt", from: part.name, label: labelOfPart(part) }));

/** Of a whole prompt. Pure. */
export const labelOfPrompt = ({ parts }: Pick<Prompt, "parts">): Label => joinLabels(parts.map(labelOfPart));

/** What is shown of files, rules and skills is what the owner has accepted. Memory and USER.md are private. Pure. */
export function labelOfPart({ name, text }: Pick<PromptPart, "name" | "text">): Label {
  if (text === "") return clean;
  switch (name) {
    case "memory":
      return { untrusted: false, sources: ["memory"] };
    case "files":
      return { untrusted: false, sources: /^## USER\.md/m.test(text) ? ["user"] : [] };
    case "session-memory":
      return isOwn(text) ? clean : { untrusted: true, sources: ["session"] };
    default:
      return clean;
  }
}

const isOwn = (section: string): boolean => isFromOwnerAlone(notesIn(section));

/** The heading is ours. */
const notesIn = (section: string): string => /<note\b[^\n]*\n([^]*)\n<\/note>/.exec(section)?.[1] ?? "";
