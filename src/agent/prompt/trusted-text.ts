import type { Origin } from "@pincer/sdk";
import { isFromOwnerAlone } from "../../storage/sessions/summary-title.ts";
import type { Prompt, SectionName } from "./prompt.ts";

/** Told to the model, and yet not said by the house: summaries may be made of strangers' texts, skills are written by whoever made them. */
const others: ReadonlySet<SectionName> = new Set(["session-memory", "skills"]);

/** The rest, with whose it is: summaries that do not say that they are made of the owner's words alone are nobody's. Pure. */
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

/** What of a prompt the owner and the house itself stand behind: an address that is named there is one that the owner knows. Pure. */
export const trustedText = ({ parts }: Pick<Prompt, "parts">): string =>
  parts
    .filter(({ name }) => !others.has(name))
    .map(({ text }) => text)
    .filter(Boolean)
    .join("\n\n");
