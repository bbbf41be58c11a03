/** The whole of one session as lines of JSON, a page at a time: however long it is, no more than a page is held, and only as fast as it is read. */
import type { Entry } from "@pincer/sdk";
import { HttpFailure, type AdmittedCall, type BodyStream, type HttpReply } from "../http/http-route.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Caller } from "../../policy/caller.ts";

export interface ExportParts {
  /** One request. Throws PincerError, Refusal, or whatever a bug throws. */
  callMethod(caller: Caller, method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  clock: Pick<Clock, "sleep">;
}

/** Whoever reads nothing for so long is taken to have gone. */
const patienceMs = 30_000;

/** What goes wrong on the way ends the connection in the middle: a part never looks like the whole. */
export async function exportSession(
  { callMethod, clock }: ExportParts,
  { caller, parameters, signal }: AdmittedCall,
  reply: HttpReply,
): Promise<void> {
  const ask = (method: string, params: object) => callMethod(caller, method, params, signal);
  const found = await ask("sessions.find", { idOrKey: parameters["id"] ?? "" });
  const sessionId = idOf(found);
  if (sessionId === undefined) throw new HttpFailure(404, "INVALID_REQUEST", "There is no such session.");
  const pageAfter = async (after: number) =>
    (await ask("sessions.entries", { sessionId, after })) as { entries: Entry[] };

  let { entries } = await pageAfter(0);
  const stream = reply.stream(200, {
    "content-type": "application/x-ndjson; charset=utf-8",
    "content-disposition": `attachment; filename="${sessionId.replaceAll(/[^\w-]/g, "_")}.jsonl"`,
  });
  try {
    while (entries.length > 0) {
      const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
      if (!(await isRead(stream, lines, clock))) return stream.cut();
      ({ entries } = await pageAfter(entries.at(-1)?.seq ?? 0));
    }
    stream.end();
  } catch (error) {
    stream.cut();
    throw error;
  }
}

async function isRead(stream: BodyStream, lines: string, clock: ExportParts["clock"]): Promise<boolean> {
  const enough = new AbortController();
  const late = clock.sleep(patienceMs, enough.signal).then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([stream.write(lines), late]);
  } finally {
    enough.abort();
  }
}

const idOf = (found: unknown): string | undefined =>
  typeof found === "object" && found !== null && "sessionId" in found && typeof found.sessionId === "string"
    ? found.sessionId
    : undefined;
