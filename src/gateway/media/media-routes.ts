/**
 * Files of messages: uploaded before the message that names them, and sent to callers who may read that message. Their
 * content is never run: only pictures of a few kinds are shown, everything else is offered as a download.
 */
import type { Entry } from "@pincer/sdk";
import type { KeptMedia } from "../../storage/media/media-store.ts";
import { HttpFailure, type AdmittedCall, type HttpReply, type HttpRoute } from "../http/http-route.ts";
import type { Clock } from "../../infra/clock.ts";
import { isOwner, type Caller } from "../../policy/caller.ts";
import { createUploadAllowance, type UploadAllowance } from "./upload-allowance.ts";

export interface MediaRouteParts {
  media: Pick<KeptMedia, "receive" | "read">;
  /** The most that one file may hold. */
  maxFileBytes(): number;
  /** The most that all of them may hold. */
  maxBytes(): number;
  clock: Pick<Clock, "now" | "monotonic">;
  /** One request. Throws PincerError, Refusal, or whatever a bug throws. */
  callMethod(caller: Caller, method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
}

/** Each has a file of its own on the disk until it is kept. */
const mostUploads = 4;
/** Of all that is kept, what one whom the owner let in may bring within an hour; one file always. */
const share = 0.05;

export function mediaRoutes(parts: MediaRouteParts): HttpRoute[] {
  let uploads = 0;
  const allowance = createUploadAllowance({
    clock: parts.clock,
    mostBytes: () => Math.max(parts.maxFileBytes(), parts.maxBytes() * share),
  });
  return [
    {
      method: "POST",
      path: "/api/media",
      access: { type: "permission", point: "agent.run" },
      bodyBytes: () => parts.maxFileBytes(),
      async handle(call: AdmittedCall, reply: HttpReply) {
        if (uploads >= mostUploads) throw tooMany();
        uploads += 1;
        try {
          reply.json(200, await takeIn(parts, call, allowance));
        } finally {
          uploads -= 1;
        }
      },
    },
    {
      method: "GET",
      path: "/api/media/:id",
      access: { type: "permission", point: "sessions.view" },
      handle: (call: AdmittedCall, reply: HttpReply) => handOut(parts, call, reply),
    },
  ];
}

/** The name stands behind the question mark: a header could not hold all of them. */
async function takeIn({ media }: MediaRouteParts, call: AdmittedCall, allowance: UploadAllowance) {
  const name = call.query.get("name")?.slice(0, mostNameCharacters);
  const { media: id, ...stored } = await media.receive(call.pieces(), {
    mimeType: call.headers["content-type"] ?? "application/octet-stream",
    ...(name ? { name } : {}),
    mayKeep: (bytes) => requireAllowance(call.caller, bytes, allowance),
  });
  return { id, name: stored.name ?? "", type: stored.mimeType, bytes: stored.sizeBytes ?? 0 };
}

function requireAllowance(caller: Caller, bytes: number, allowance: UploadAllowance): void {
  if (bytes === 0) throw new HttpFailure(400, "INVALID_REQUEST", "The file is empty.");
  const waitSeconds = isOwner(caller) ? undefined : allowance.take(caller.id, bytes);
  if (waitSeconds !== undefined) throw tooMuch(waitSeconds);
}

const mostNameCharacters = 200;

/** `session` and `seq` say with which message it came; who may not read that gets no file of it. */
async function handOut(parts: MediaRouteParts, call: AdmittedCall, reply: HttpReply): Promise<void> {
  const id = call.parameters["id"] ?? "";
  const found = fileIn(await messageOf(parts, call), id);
  if (!found) throw nothingThere(id);
  const content = await parts.media.read(id);
  const isShown = shownTypes.has(found.mimeType) && !call.query.has("download");
  reply.bytes(200, content, {
    "content-type": isShown ? found.mimeType : "application/octet-stream",
    "content-disposition": `${isShown ? "inline" : "attachment"}; ${fileName(found.name ?? id.slice(7, 19))}`,
    "content-security-policy": "sandbox; default-src 'none'",
    // Named by its content: it never changes. Cached only in the browser of a caller who may see it.
    "cache-control": "private, max-age=86400, immutable",
  });
}

async function messageOf({ callMethod }: MediaRouteParts, call: AdmittedCall): Promise<Entry | undefined> {
  const session = call.query.get("session") ?? "";
  const seq = Number(call.query.get("seq"));
  if (session === "" || !Number.isSafeInteger(seq) || seq < 1)
    throw new HttpFailure(400, "INVALID_REQUEST", "Name the session and the seq of the message.");
  const params = { sessionKey: session, before: seq + 1, limit: 1 };
  const { entries } = (await callMethod(call.caller, "chat.history", params, call.signal)) as {
    entries: Entry[];
  };
  return entries.find((entry) => entry.seq === seq);
}

/** As the message names it: what came with it, and the pictures that a tool took. */
function fileIn(entry: Entry | undefined, id: string): { mimeType: string; name?: string } | undefined {
  if (entry?.type !== "message" || entry.message.role === "assistant") return undefined;
  const { message } = entry;
  const files = message.role === "user" ? (message.files ?? []) : [];
  const pictures = message.content.flatMap((block) => (block.type === "image" ? [block] : []));
  return files.find(({ media }) => media === id) ?? pictures.find(({ media }) => media === id);
}

/** Pictures that no browser runs anything of; never SVG. */
const shownTypes: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
  "image/avif",
]);

function fileName(name: string): string {
  const plain = name.replaceAll(/[^\w.-]+/g, "_");
  const whole = encodeURIComponent(name.toWellFormed()).replaceAll(/['()*]/g, escaped);
  return `filename="${plain}"; filename*=UTF-8''${whole}`;
}

const escaped = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

const nothingThere = (id: string) =>
  new HttpFailure(404, "INVALID_REQUEST", `No file ${id.slice(0, 80)} came with that message.`);

const tooMany = () =>
  new HttpFailure(429, "RATE_LIMITED", "Too many files at once; try again in a moment.", {
    headers: { "retry-after": "1", connection: "close" },
  });

const tooMuch = (seconds: number) =>
  new HttpFailure(429, "RATE_LIMITED", "You have uploaded as many files as you may for now.", {
    headers: { "retry-after": String(seconds) },
  });
