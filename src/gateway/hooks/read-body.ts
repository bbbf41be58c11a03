/** The body of a hook call: JSON, a form or plain text. */
import type { IncomingHttpHeaders } from "node:http";
import { HttpFailure, type HttpCall } from "../http/http-route.ts";

export const largestHookBytes = 1024 * 1024;

/** The bytes as they came: they are what was signed. Throws HttpFailure 413. */
export async function readHookBytes(call: Pick<HttpCall, "headers" | "body">): Promise<Buffer> {
  if (Number(call.headers["content-length"] ?? 0) > largestHookBytes) throw tooLarge();
  const bytes = await call.body();
  if (bytes.length > largestHookBytes) throw tooLarge();
  return bytes;
}

export interface HookBody {
  value: unknown;
  text: string;
}

/** Throws HttpFailure 400 for JSON that is none, 415 for what is none of the three. */
export function readHookBody(bytes: Buffer, headers: IncomingHttpHeaders): HookBody {
  const text = bytes.toString("utf8").toWellFormed();
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  if (type === "application/json" || type.endsWith("+json")) return { value: readJson(text), text };
  if (type === "application/x-www-form-urlencoded") {
    return { value: Object.fromEntries(new URLSearchParams(text)), text };
  }
  if (type === "" || type.startsWith("text/")) return { value: text, text };
  throw new HttpFailure(415, "INVALID_REQUEST", "A hook accepts JSON, a form or text.", {
    hint: "Send it as application/json.",
  });
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpFailure(400, "INVALID_REQUEST", "The content type says JSON, but the body is not JSON.");
  }
}

const tooLarge = () =>
  new HttpFailure(413, "INVALID_REQUEST", `A hook accepts at most ${largestHookBytes} bytes.`);
