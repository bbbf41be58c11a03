/**
 * Reads only some fields of a page, with a model that has no tools; nothing else of the page enters the conversation.
 */
import type { ToolCallContext, ToolOutput } from "@pincer/sdk";
import { Type, type TObject } from "typebox";
import { oneLine, shorten } from "../../infra/one-line.ts";
import { labelUntrusted } from "./untrusted-text.ts";

interface ReadPage {
  page: { title?: string | undefined; text: string; kind: string };
  /** Host and address. */
  place: string;
  host: string;
  url: string;
  wanted: TObject;
}

const mostFields = 20;
const mostDescriptionChars = 200;

/** Throws a hint if the names are invalid. */
export function fieldsSchema(fields: Readonly<Record<string, string>>): TObject {
  const named = Object.entries(fields);
  if (named.length === 0 || named.length > mostFields)
    throw new Error(`name between 1 and ${mostFields} fields, or leave fields out`);
  const wrong = named.find(([name]) => !/^[A-Za-z]\w{0,39}$/.test(name));
  if (wrong)
    throw new Error(`${shorten(oneLine(wrong[0]), 50)} is no name of a field: letters, digits and _ are`);
  return Type.Object(
    Object.fromEntries(
      named.map(([name, description]) => [
        name,
        Type.Optional(Type.String({ description: shorten(oneLine(description), mostDescriptionChars) })),
      ]),
    ),
    { additionalProperties: false },
  );
}

/** Throws if no model is available, or if the page could not be read. */
export async function readFields(
  { page, place, host, url, wanted }: ReadPage,
  { read }: Pick<ToolCallContext, "read">,
): Promise<ToolOutput> {
  if (!read) throw new Error("nobody is here who reads pages for fields; leave fields out");
  const text = [page.title && `# ${page.title}`, page.text].filter(Boolean).join("\n\n");
  const answer = await read({ text, origin: "web", from: place, fields: wanted });
  if (answer.type === "unread")
    throw new Error(`the page could not be read for fields: ${answer.reason}; leave fields out to see it`);
  const lines = Object.keys(wanted.properties).map(
    (name) =>
      `${name}: ${answer.fields[name] === undefined ? "(not said)" : JSON.stringify(answer.fields[name])}`,
  );
  return {
    from: host,
    text: labelUntrusted({ from: place, text: lines.join("\n") }),
    details: { url, kind: page.kind, chars: page.text.length, fields: answer.fields },
  };
}
