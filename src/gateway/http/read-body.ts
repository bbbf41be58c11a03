/** Reads the body of a request, within its limits of size and time. */
import type { IncomingMessage } from "node:http";
import type { Clock } from "../../infra/clock.ts";
import { HttpFailure } from "./http-route.ts";

export interface BodyLimits {
  bytes: number;
  withinMs: number;
}

/** Throws HttpFailure 413, 408, or 400 where the other side went away in the middle. */
export async function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  clock: Pick<Clock, "after">,
): Promise<Buffer> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > limits.bytes) throw tooLarge(limits.bytes);
  const chunks: Buffer[] = [];
  let size = 0;
  const { promise: reading, resolve, reject } = Promise.withResolvers<Buffer>();
  request.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > limits.bytes) return reject(tooLarge(limits.bytes));
    chunks.push(chunk);
  });
  request.on("end", () => resolve(Buffer.concat(chunks)));
  request.on("error", () => reject(brokenOff()));
  request.on("aborted", () => reject(brokenOff()));
  const stopTimer = clock.after(limits.withinMs, () => reject(tooLate()));
  try {
    return await reading;
  } finally {
    stopTimer();
  }
}

/** Throws HttpFailure 415 for another type, 400 for what is no JSON. */
export function parseJson(type: string | undefined, body: Buffer): unknown {
  // A page of another place can send any text, but none with this type without being asked first.
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(type ?? "")) {
    throw new HttpFailure(415, "INVALID_REQUEST", "Send JSON, with Content-Type: application/json.");
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new HttpFailure(400, "INVALID_REQUEST", "The body is not valid JSON.");
  }
}

/** What is left of a body that nobody reads must not be taken for the next request. */
const hangUp = { connection: "close" };

export const tooLarge = (most: number) =>
  new HttpFailure(413, "INVALID_REQUEST", `The body is larger than ${most} bytes.`, { headers: hangUp });

export const tooLate = () =>
  new HttpFailure(408, "INVALID_REQUEST", "Sending the body took too long.", { headers: hangUp });

export const brokenOff = () =>
  new HttpFailure(400, "INVALID_REQUEST", "The body is incomplete: the connection ended.", {
    headers: hangUp,
  });
