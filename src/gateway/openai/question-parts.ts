/** What chat completions and responses parse in the same way. */
import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Type } from "typebox";
import { isOwner, type Caller } from "../../policy/caller.ts";
import type { AdmittedCall } from "../http/http-route.ts";
import { badRequest } from "./openai-failure.ts";
import type { Question, QuestionPlace } from "./openai-api.ts";
import type { Speaker } from "./told-messages.ts";

/** What a body may name, and what is refused beyond that. */
export const name = Type.String({ minLength: 1, maxLength: 256 });
export const mostMessages = 2000;
export const mostInstructionCharacters = 200_000;
export const longText = Type.String({ maxLength: 4_000_000 });
/** Pieces of what somebody says: words or pictures, whatever the wire calls them. */
export const ContentParts = Type.Array(
  Type.Object({
    type: Type.String(),
    text: Type.Optional(longText),
    image_url: Type.Optional(Type.Unknown()),
  }),
  { maxItems: 256 },
);

const mostKeyCharacters = 200;

export const speakerOf = (caller: Caller): Speaker => ({ isOwner: isOwner(caller), name: caller.name });

/** The header counts before `user`. Throws OpenAiFailure 400. */
export function placeOf(headers: IncomingHttpHeaders, user: string | undefined): QuestionPlace {
  const key = headerOf(headers, "x-pincer-session");
  if (key !== undefined) return { type: "session", key };
  if (user === undefined || user === "") return { type: "alone" };
  return { type: "user", name: user };
}

/** Throws OpenAiFailure 400. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): { idempotencyKey?: string } {
  const name = headers["idempotency-key"] === undefined ? "x-idempotency-key" : "idempotency-key";
  const key = headerOf(headers, name);
  if (key === undefined) return {};
  if (!/^[\x21-\x7e]+$/.test(key) || key.length > mostKeyCharacters) {
    throw badRequest("openai.bad-field", "Idempotency-Key", {
      reason: `printable characters without spaces, at most ${mostKeyCharacters}`,
    });
  }
  return { idempotencyKey: key };
}

/** What is none is left out: it is no reason to refuse a question. */
export function traceparentOf(headers: IncomingHttpHeaders): { traceparent?: string } {
  const traceparent = headerOf(headers, "traceparent");
  return traceparent !== undefined && /^[0-9a-f]{2}-[0-9a-f-]{52,125}$/.test(traceparent)
    ? { traceparent }
    : {};
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Whether it is answered in one piece or in many, it is the same question. */
export function digestOf({ path, headers }: AdmittedCall, body: object): string {
  const { stream: _, stream_options: __, ...asked } = body as Record<string, unknown>;
  const whole = JSON.stringify([path, headers["x-pincer-session"] ?? null, asked]);
  return hash("sha256", whole, "base64url");
}

/** Instructions of several kinds as one text. Throws OpenAiFailure 400. */
export function joinInstructions(
  param: string,
  ...texts: Array<string | undefined>
): { instructions?: string } {
  const instructions = texts.filter(Boolean).join("\n\n");
  if (instructions.length > mostInstructionCharacters) {
    throw badRequest("openai.bad-field", param, {
      reason: `instructions have at most ${mostInstructionCharacters} characters`,
    });
  }
  return instructions === "" ? {} : { instructions };
}

/** What can only be asked for in words here. Throws OpenAiFailure 400 for a format that is not known. */
export function formatWish(format: unknown, param: string): string | undefined {
  if (format === undefined || format === null) return undefined;
  const {
    type,
    json_schema: nested,
    schema,
  } = format as {
    type?: unknown;
    json_schema?: { schema?: unknown };
    schema?: unknown;
  };
  if (type === "text") return undefined;
  if (type === "json_object") return "Answer with one JSON object and nothing else.";
  if (type === "json_schema") {
    return `Answer with JSON that fits this schema, and nothing else:\n${JSON.stringify(nested?.schema ?? schema ?? {})}`;
  }
  throw badRequest("openai.bad-field", param, { reason: "text, json_object or json_schema" });
}

const efforts: Record<string, NonNullable<Question["thinking"]>> = {
  none: "off",
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
};

/** Throws OpenAiFailure 400. */
export function thinkingOf(effort: unknown, param: string): { thinking?: NonNullable<Question["thinking"]> } {
  if (effort === undefined || effort === null) return {};
  const thinking = typeof effort === "string" && Object.hasOwn(efforts, effort) ? efforts[effort] : undefined;
  if (thinking === undefined) {
    throw badRequest("openai.bad-field", param, { reason: Object.keys(efforts).join(", ") });
  }
  return { thinking };
}
