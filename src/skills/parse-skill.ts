/** Reads name and description of a SKILL.md from its front matter or, failing that, from its first words. */
import { oneLine, shorten } from "../infra/one-line.ts";

const longestName = 64;
const longestDescription = 300;

/** A reason instead, where it cannot be used. */
export async function parseSkill(
  text: string,
  fallbackName: string,
): Promise<{ name: string; description: string } | { reason: string }> {
  const source = text.replace(/\r\n?/g, "\n");
  const match = /^---[ \t]*\n(?:([^]*?)\n)??---[ \t]*(?:\n|$)/.exec(source);
  if (!match && /^---[ \t]*\n/.test(source)) return { reason: "its front matter has no end" };
  const fields = await readFields(match?.[1] ?? "");
  if (typeof fields === "string") return { reason: fields };

  const name = words(fields["name"]) || oneLine(fallbackName);
  const body = source.slice(match?.[0].length ?? 0);
  const description = words(fields["description"]) || firstWords(body);
  if (description === "") return { reason: "it does not say what it is for" };
  return { name: shorten(name, longestName), description: shorten(description, longestDescription) };
}

/** The reason as a string, where it is no YAML with names and values. */
async function readFields(yaml: string): Promise<Record<string, unknown> | string> {
  if (yaml.trim() === "") return {};
  // Loaded here: most homes have no skills, and it takes longer to load than everything around it.
  const { parse } = await import("yaml");
  try {
    // "failsafe" takes every value as the words that it is: a skill named 404 or `yes` is no number and no boolean.
    const fields: unknown = parse(yaml, { schema: "failsafe", logLevel: "error" });
    if (typeof fields === "object" && fields !== null && !Array.isArray(fields)) return { ...fields };
    return "its front matter has no names and values";
  } catch (error) {
    const [firstLine = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return `its front matter is no YAML: ${firstLine.replace(/:$/, "")}`;
  }
}

/** The first paragraph; where there is none, the first heading. */
function firstWords(body: string): string {
  let heading = "";
  const paragraph: string[] = [];
  for (const line of body.split("\n")) {
    const title = /^#{1,6}\s+(.*)/.exec(line)?.[1];
    const isBreak = title !== undefined || line.trim() === "";
    if (isBreak && paragraph.length > 0) break;
    if (title !== undefined) heading ||= title;
    else if (!isBreak) paragraph.push(line);
  }
  return oneLine(paragraph.join(" ")) || oneLine(heading);
}

const words = (value: unknown): string => (typeof value === "string" ? oneLine(value) : "");
