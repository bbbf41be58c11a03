/** The credentials of a request, from its headers, and the cookie in which a browser keeps its session. */
import type { IncomingHttpHeaders } from "node:http";
import type { Shown } from "./doors.ts";

const cookieName = "pincer_session";

export function shownBy(headers: Pick<IncomingHttpHeaders, "authorization" | "cookie">): Shown {
  const bearer = bearerOf(headers.authorization);
  const cookie = sessionCookieOf(headers.cookie);
  return { ...(bearer === undefined ? {} : { bearer }), ...(cookie === undefined ? {} : { cookie }) };
}

/** Any other scheme is shown, too, and is wrong. */
function bearerOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  return /^bearer +(\S+) *$/i.exec(header)?.[1] ?? "";
}

/**
 * Undefined where there is none. Where there are several they count as a wrong one: another server of the same name, on another port, can put
 * one of its own beside ours.
 */
function sessionCookieOf(header: string | undefined): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
    .map((pair) => pair.slice(cookieName.length + 1));
  return values.length > 1 ? "" : values[0];
}

/** `value` empty: the browser forgets it. */
export function sessionCookie(
  value: string,
  { maxAgeSeconds, isSecure }: { maxAgeSeconds: number; isSecure: boolean },
): string {
  const marks = ["HttpOnly", "SameSite=Strict", "Path=/", `Max-Age=${value === "" ? 0 : maxAgeSeconds}`];
  return [`${cookieName}=${value}`, ...marks, ...(isSecure ? ["Secure"] : [])].join("; ");
}
