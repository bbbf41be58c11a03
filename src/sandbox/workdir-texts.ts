/** Texts of the workdir as a prompt can carry them: each within its limit, all of them within theirs, and what could not be read said so. */
import { firstPart, lastPart } from "../infra/cut-text.ts";
import type { FileText, WorkdirFiles } from "./workdir-files.ts";
import { isMissing } from "./workdir-opener.ts";

export interface WorkdirText {
  /** Its path in the workdir. */
  name: string;
  text: string;
  truncated: boolean;
}

export interface WorkdirTexts {
  texts: WorkdirText[];
  /** What is there and was left out. */
  skipped: Array<{ name: string; reason: string }>;
}

export interface WantedTexts {
  /** In the order in which they get room. */
  names: readonly string[];
  maxChars: number;
  totalMaxChars: number;
  /** Which part of a text stays when it is too long. */
  keep: "beginning" | "end";
}

/** Never throws: a file that is missing or empty is absent, any other that cannot be used is skipped. A file under two names comes once. */
export async function readWorkdirTexts(files: TextFiles, wanted: WantedTexts): Promise<WorkdirTexts> {
  const found: WorkdirTexts = { texts: [], skipped: [] };
  const stamps = new Set<string>();
  let room = wanted.totalMaxChars;
  for (const name of wanted.names) {
    const stamp = files.stamp(name);
    if (stamp === "" || stamps.has(stamp)) continue;
    stamps.add(stamp);
    try {
      const text = await readOne(files, name, Math.min(wanted.maxChars, room), wanted.keep);
      if (text.text === "" && !text.truncated) continue;
      if (text.text === "") found.skipped.push({ name, reason: "there is no room left for it" });
      else found.texts.push({ name, ...text });
      room -= text.text.length;
    } catch (error) {
      if (!isMissing(error)) found.skipped.push({ name, reason: reasonOf(error, name) });
    }
  }
  return found;
}

export type TextFiles = Pick<WorkdirFiles, "read" | "readEnd" | "stamp">;

async function readOne(files: TextFiles, name: string, maxChars: number, keep: WantedTexts["keep"]) {
  // No UTF-16 unit takes more than three bytes; what is more shows that something was cut.
  const maxBytes = maxChars * 3 + 4;
  const file = keep === "end" ? await files.readEnd(name, maxBytes) : await files.read(name, maxBytes);
  refuseOtherEncodings(file);
  const whole = file.text.trim();
  const text = keep === "end" ? lastPart(whole, maxChars) : firstPart(whole, maxChars);
  return { text: text.trim(), truncated: file.truncated || text.length < whole.length };
}

/** A text in GBK or Latin-1 would come out as noise; one broken character does no harm. */
function refuseOtherEncodings({ text }: FileText): void {
  const broken = text.split("\uFFFD").length - 1;
  if (broken > 1 && broken * 100 > text.length) throw new Error("is not UTF-8 text; save it as UTF-8");
}

function reasonOf(error: unknown, name: string): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.startsWith(`${name} `) ? message.slice(name.length + 1) : message;
}
