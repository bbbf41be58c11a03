/** Failures below HTTP, by the code of the error or of its cause, else by what a library says of it. */
import type { ModelFailure } from "../model-failure.ts";
import type { FailureEvidence } from "./failure-evidence.ts";

type Verdict = Pick<ModelFailure, "code" | "message">;

/** Undefined when it is not about the connection. */
export function connectionFailure({
  error,
  text = "",
  hasBegun = false,
}: FailureEvidence): Verdict | undefined {
  const code = codeOf(error) ?? /\b(?:E[A-Z]{4,}|UND_ERR_[A-Z_]+|HPE_[A-Z_]+)\b/.exec(text)?.[0];
  if (isMalformed(error)) return { code: "truncated", message: error.message };
  if (code === "ERR_INVALID_CHAR" || unsendable.test(messageOf(error)) || unsendable.test(text))
    return { code: "auth", message: "the key, or a header, holds a character that no header can carry" };
  const known = code === undefined ? undefined : (meanings[code] ?? certificateFailure(code));
  const isBroken =
    known !== undefined || /^(?:terminated|premature close)$/i.test(messageOf(error) || text.trim());
  if (isBroken && hasBegun) {
    return { code: "truncated", message: `the answer broke off${known ? `: ${known.message}` : ""}` };
  }
  if (known) return known;
  if (/^terminated$/i.test(text.trim())) return { code: "truncated", message: "the answer broke off" };
  const network = networkWords.find(({ pattern }) => pattern.test(messageOf(error)) || pattern.test(text));
  return network?.verdict;
}

/** A key with an ellipsis or a typographic dash in it: copied from where it was shown cut or prettified. */
const unsendable =
  /cannot convert argument to a bytestring|invalid character in header content|is an invalid header value/i;

const refused = (message: string): Verdict => ({ code: "unavailable", message });
const late = (message: string): Verdict => ({ code: "timeout", message });

const meanings: Readonly<Record<string, Verdict>> = {
  ECONNREFUSED: refused("nobody listens at this address (ECONNREFUSED)"),
  ECONNRESET: refused("the connection was reset (ECONNRESET)"),
  ECONNABORTED: refused("the connection was given up (ECONNABORTED)"),
  EPIPE: refused("the connection was closed while it was written to (EPIPE)"),
  ENOTFOUND: refused("no such host (ENOTFOUND)"),
  EAI_AGAIN: refused("the name of the host could not be looked up just now (EAI_AGAIN)"),
  EHOSTUNREACH: refused("the host cannot be reached (EHOSTUNREACH)"),
  ENETUNREACH: refused("the network cannot be reached (ENETUNREACH)"),
  ENETDOWN: refused("the network is down (ENETDOWN)"),
  EPROTO: refused("the server does not speak TLS as expected (EPROTO)"),
  HPE_HEADER_OVERFLOW: refused("the answer has headers that are too large"),
  HPE_INVALID_CONSTANT: refused("what answers there does not speak HTTP"),
  UND_ERR_SOCKET: refused("the connection was closed (UND_ERR_SOCKET)"),
  UND_ERR_CLOSED: refused("the connection was closed (UND_ERR_CLOSED)"),
  ETIMEDOUT: late("the connection timed out (ETIMEDOUT)"),
  ESOCKETTIMEDOUT: late("the connection timed out (ESOCKETTIMEDOUT)"),
  UND_ERR_CONNECT_TIMEOUT: late("connecting took too long"),
  UND_ERR_HEADERS_TIMEOUT: late("the answer did not begin in time"),
  UND_ERR_BODY_TIMEOUT: late("the answer fell silent"),
};

function certificateFailure(code: string): Verdict | undefined {
  const isAboutTrust = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code);
  if (isAboutTrust) return refused(`the certificate of the server is not trusted (${code})`);
  if (code.startsWith("ERR_TLS") || code.startsWith("ERR_SSL"))
    return refused(`no secure connection to the server (${code})`);
  return code.startsWith("HPE_") ? refused(`what answers there does not speak HTTP (${code})`) : undefined;
}

const networkWords: ReadonlyArray<{ pattern: RegExp; verdict: Verdict }> = [
  {
    pattern: /refused to follow a redirect/i,
    verdict: refused("the address redirects elsewhere; keys do not travel"),
  },
  { pattern: /timed? ?out\b/i, verdict: late("the request timed out") },
  {
    pattern: /\bfetch failed\b|^(?:connection error\.?|socket hang up|network error|other side closed)/i,
    verdict: refused("the connection failed"),
  },
];

/** Of the error or of what caused it. */
function codeOf(error: unknown): string | undefined {
  let one: unknown = error;
  for (let depth = 0; depth < 5 && typeof one === "object" && one !== null; depth++) {
    const code: unknown = Reflect.get(one, "code");
    if (typeof code === "string") return code;
    const [first]: unknown[] = one instanceof AggregateError ? one.errors : [];
    one = first ?? Reflect.get(one, "cause");
  }
  return undefined;
}

function messageOf(error: unknown): string {
  const texts: string[] = [];
  for (let one = error; one instanceof Error && texts.length < 5; one = one.cause) texts.push(one.message);
  return texts.at(-1) ?? "";
}

/** Ours, from reading the stream: what came is not what the format allows. */
const isMalformed = (error: unknown): error is Error =>
  error instanceof Error && (error.name === "MalformedEvent" || error instanceof RangeError);
