/**
 * Exports a whole session as lines of JSON or as Markdown, a page at a time: it never holds more than a page, and
 * reads no faster than the client.
 */
import type { Entry } from "@pincer/sdk";
import { HttpFailure, type AdmittedCall, type BodyStream, type HttpReply } from "../http/http-route.ts";
import type { Clock } from "../../infra/clock.ts";
import { beginMarkdown } from "../../infra/session-markdown.ts";
import type { Caller } from "../../policy/caller.ts";
import { encodeLine } from "../../storage/transcript/line-codec.ts";
import { within } from "../../infra/within.ts";

export interface ExportParts {
  /** One request. Throws PincerError, Refusal, or whatever a bug throws. */
  callMethod(caller: Caller, method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  clock: Pick<Clock, "after">;
}

/** A client that reads nothing for this long counts as gone. */
const patienceMs = 30_000;

/** What goes wrong on the way ends the connection in the middle: a part never looks like the whole. */
export async function exportSession(
  { callMethod, clock }: ExportParts,
  { caller, parameters, query, signal }: AdmittedCall,
  reply: HttpReply,
): Promise<void> {
  const format = formats.get(query.get("format") ?? "jsonl");
  if (!format) throw new HttpFailure(400, "INVALID_REQUEST", "format must be jsonl or markdown.");
  const ask = (method: string, params: object) => callMethod(caller, method, params, signal);
  const found = await ask("sessions.find", { sessionKey: parameters["id"] ?? "" });
  const sessionId = idOf(found);
  if (sessionId === undefined) throw new HttpFailure(404, "INVALID_REQUEST", "There is no such session.");
  const pageAfter = async (after: number) =>
    (await ask("sessions.entries", { sessionKey: sessionId, after })) as { entries: Entry[] };

  const write = format.begin();
  let { entries } = await pageAfter(0);
  const stream = reply.stream(200, {
    "content-type": `${format.type}; charset=utf-8`,
    "content-disposition": `attachment; filename="${sessionId.replaceAll(/[^\w-]/g, "_")}.${format.ending}"`,
  });
  try {
    while (entries.length > 0) {
      const lines = entries.map((entry) => write(entry)).join("");
      if (!(await isRead(stream, lines, clock))) return stream.cut();
      ({ entries } = await pageAfter(entries.at(-1)?.seq ?? 0));
    }
    stream.end();
  } catch (error) {
    stream.cut();
    throw error;
  }
}

interface Format {
  type: string;
  ending: string;
  /** For one session, its entries in order. */
  begin(): (entry: Entry) => string;
}

const formats = new Map<string, Format>([
  [
    "jsonl",
    { type: "application/x-ndjson", ending: "jsonl", begin: () => (entry) => `${encodeLine(entry)}\n` },
  ],
  ["markdown", { type: "text/markdown", ending: "md", begin: () => beginMarkdown() }],
]);

const isRead = (stream: BodyStream, lines: string, clock: ExportParts["clock"]): Promise<boolean> =>
  within(clock, patienceMs, stream.write(lines), () => false);

const idOf = (found: unknown): string | undefined =>
  typeof found === "object" && found !== null && "sessionId" in found && typeof found.sessionId === "string"
    ? found.sessionId
    : undefined;
