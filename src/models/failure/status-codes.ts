/** What a status means when the words say nothing. */
import type { ModelErrorCode } from "@pincer/sdk";

export function codeOfStatus(status: number): ModelErrorCode {
  const known = statusCodes[status];
  if (known) return known;
  if (status >= 500) return "unavailable";
  return status >= 400 ? "invalid_request" : "unknown";
}

const statusCodes: Readonly<Record<number, ModelErrorCode>> = {
  401: "auth",
  402: "billing",
  403: "auth",
  404: "not_found",
  // Of a proxy on the way: not the provider's key.
  407: "unavailable",
  408: "timeout",
  409: "unavailable",
  413: "context_overflow",
  425: "unavailable",
  429: "rate_limit",
  451: "refused",
  // Groq, of a tier without room.
  498: "overloaded",
  // Given up on the way by a proxy, or by Google itself.
  499: "unavailable",
  504: "timeout",
  524: "timeout",
  529: "overloaded",
};
