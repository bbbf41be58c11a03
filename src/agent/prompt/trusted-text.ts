import type { Origin } from "@pincer/sdk";
import { isFromOwnerAlone } from "../../storage/sessions/summary-title.ts";
import type { Prompt, SectionName } from "./prompt.ts";

/**
 * Sections that are not our own text: summaries may be made of strangers' texts, and skills come from their authors.
 */
const others: ReadonlySet<SectionName> = new Set(["session-memory", "skills"]);

/**
 * The untrusted sections with their origin. A summary counts as ours only if it says that it is made of the owner's
 * words alone. Pure.
 */
export const untrustedTexts = ({ parts }: Pick<Prompt, "parts">): Array<{ origin: Origin; text: string }> =>
  parts
    .filter(({ name, text }) => others.has(name) && text !== "")
    .map(({ name, text }) => ({
      text,
      origin: name === "skills" ? "file" : isOwn(text) ? "system" : "summary",
    }));

const isOwn = (section: string): boolean => isFromOwnerAlone(notesIn(section));

/** The heading is ours. */
const notesIn = (section: string): string => /<note\b[^\n]*\n([^]*)\n<\/note>/.exec(section)?.[1] ?? "";

/**
 * The parts of a prompt that the owner and the product vouch for: an address in there is known to the owner. Pure.
 */
export const trustedText = ({ parts }: Pick<Prompt, "parts">): string =>
  parts
    .filter(({ name }) => !others.has(name))
    .map(({ text }) => text)
    .filter(Boolean)
    .join("\n\n");
