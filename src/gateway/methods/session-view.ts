/** A session as people see it in a list. */
import { textOf, type MessageEntry, type SessionView } from "@pincer/sdk";
import type { SessionRecord } from "../../storage/stores.ts";

/** The setting that holds its name. */
export const labelSetting = "label";

/** So that views of sessions reload. */
export type TellSession = (event: "session.changed" | "session.deleted", session: SessionRecord) => void;

const openingLength = 160;

export function viewSession(
  session: SessionRecord,
  opening?: { entry: MessageEntry | undefined },
): SessionView {
  const label = session.settings[labelSetting] ?? null;
  return { ...session, label, ...(opening ? { opening: firstWords(opening.entry) } : {}) };
}

/** One line of what people may write as a name; empty where nothing is left. */
export const cleanLabel = (label: string): string =>
  label
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

function firstWords(entry: MessageEntry | undefined): string | null {
  if (!entry) return null;
  const words = cleanLabel(textOf(entry.message).slice(0, openingLength * 4));
  return [...words].slice(0, openingLength).join("");
}
