/** The broker itself. Each address, the first as well as those of redirects, goes the whole way: read, allowed, resolved, checked, dialled. */
import type { IncomingMessage } from "node:http";
import type { Clock } from "../../infra/clock.ts";
import { canonicalAddress, isInTheWorld } from "./address-class.ts";
import {
  checkKnown,
  createDial,
  refusedByRule,
  type Connect,
  type Dial,
  type Lookup,
} from "./checked-dial.ts";
import {
  EgressError,
  type Egress,
  type EgressLimits,
  type EgressRequest,
  type EgressResponse,
  type EgressRules,
} from "./egress.ts";
import { exchange, type Outgoing } from "./exchange.ts";
import { createHostRules, hostOf, isNamed, readHost, type HostRules, type Place } from "./host-rules.ts";
import { readBody } from "./read-body.ts";
import { headersForStrangers, isSameParty, readHeaders, readMethod } from "./request-head.ts";

export interface EgressParts {
  rules: EgressRules;
  limits: EgressLimits;
  clock: Clock;
  /** The system's, unless told. */
  lookup?: Lookup | undefined;
  connect?: Connect | undefined;
}

/** How long a server may say nothing. */
const mostSilenceMs = 30_000;
const longestUrl = 8000;

export function openEgress({ rules, limits, clock, lookup, connect }: EgressParts): Egress {
  const hosts = createHostRules(rules);
  const dial = createDial({ rules: hosts, clock, lookup, connect });

  return {
    async request(request) {
      const outgoing = readRequest(request);
      const narrowed = narrow(limits, request.limits);
      const watch = startWatch(clock, narrowed.timeoutMs, request.signal);
      try {
        const { staysOn = [] } = request;
        return await follow(outgoing, request.url, { hosts, dial, limits: narrowed, watch, staysOn });
      } catch (error) {
        // After a timeout or abort, that is the reason, whatever broke.
        throw watch.signal.aborted ? watch.signal.reason : error;
      } finally {
        watch.stop();
      }
    },
    async check(url) {
      const place = placeOf(readUrl(url));
      if (!hosts.allowsName(place)) throw refusedByRule(place);
      checkKnown(place, hosts);
    },
    async dial({ host: given, port }, { allow }, signal) {
      const host = readHost(given);
      if (host === undefined) throw new EgressError("refused", "that is not the name of a host");
      const place = { host, port };
      if (!isNamed(place, allow) || !hosts.allowsName(place)) throw refusedByRule(place);
      return dial(place, signal);
    },
  };
}

interface Way {
  hosts: HostRules;
  dial: Dial;
  limits: EgressLimits;
  watch: Watch;
  staysOn: readonly string[];
}

interface Answered {
  response: IncomingMessage;
  isInside: boolean;
}

async function follow(first: Outgoing, address: string, way: Way): Promise<EgressResponse> {
  let outgoing = first;
  let url = readUrl(address);
  for (let redirects = 0; ; redirects++) {
    const answered = await ask(url, outgoing, way);
    const target = redirectOf(answered.response, url);
    if (target === undefined) return answer(answered, url, outgoing, way);
    answered.response.destroy();
    if (redirects >= way.limits.maxRedirects)
      throw new EgressError("too-many-redirects", `more than ${way.limits.maxRedirects} redirects`);
    const next = readUrl(target);
    if (isNamed(placeOf(url), way.staysOn) && !isNamed(placeOf(next), way.staysOn))
      throw new EgressError(
        "refused",
        `${url.host} redirects to ${next.href.slice(0, 300)}, which is not followed: ask for that address itself`,
      );
    outgoing = redirected(outgoing, answered.response.statusCode ?? 0, url, next);
    url = next;
  }
}

async function ask(url: URL, outgoing: Outgoing, { hosts, dial, watch }: Way): Promise<Answered> {
  const place = placeOf(url);
  if (!hosts.allowsName(place)) throw refusedByRule(place);
  const connection = await dial(place, watch.signal);
  watch.signal.addEventListener("abort", () => connection.destroy(), { once: true });
  watch.isAlive();
  const response = await exchange(url, connection, outgoing);
  watch.isAlive();
  const address = canonicalAddress(connection.remoteAddress ?? "");
  return { response, isInside: address === undefined || !isInTheWorld(address) };
}

async function answer(
  { response, isInside }: Answered,
  url: URL,
  { method }: Outgoing,
  { limits, watch }: Way,
): Promise<EgressResponse> {
  const status = response.statusCode ?? 0;
  const head = { status, headers: joined(response.rawHeaders), url: url.href, isInside };
  if (method === "HEAD" || status === 204 || status === 304) {
    response.destroy();
    return { ...head, body: new Uint8Array(), truncated: false };
  }
  return { ...head, ...(await readBody(response, limits.maxBytes, watch.isAlive)) };
}

function readRequest({ method = "GET", headers = {}, body }: EgressRequest): Outgoing {
  const name = readMethod(method);
  if (body !== undefined && (name === "GET" || name === "HEAD"))
    throw new EgressError("refused", `a ${name} request has no body`);
  return { method: name, headers: readHeaders(headers), body };
}

/** Throws EgressError. The parsed address is resolved, dialled and sent: the text is never parsed again. */
function readUrl(text: string): URL {
  const url = text.length > longestUrl ? null : URL.parse(text);
  if (!url) throw new EgressError("refused", "that is not an address of the web");
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new EgressError("refused", `only http and https addresses are reached, not ${url.protocol}`);
  if (url.username !== "" || url.password !== "")
    throw new EgressError("refused", "an address must not hold a user or a password");
  return url;
}

function placeOf(url: URL): Place {
  const host = hostOf(url);
  if (host === undefined) throw new EgressError("refused", "that is not the name of a host");
  return { host, port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port) };
}

function redirectOf({ statusCode = 0, headers }: IncomingMessage, url: URL): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode) || headers.location === undefined) return undefined;
  const target = URL.parse(headers.location, url.href);
  if (!target) throw new EgressError("refused", `${url.host} redirects to what is not an address`);
  return target.href;
}

function redirected(outgoing: Outgoing, status: number, from: URL, to: URL): Outgoing {
  const headers = isSameParty(from, to) ? outgoing.headers : headersForStrangers(outgoing.headers);
  if (status === 307 || status === 308) {
    if (outgoing.body !== undefined && !isSameParty(from, to))
      throw new EgressError(
        "refused",
        `${from.host} wants the content sent to ${to.host}, which is not done`,
      );
    return { ...outgoing, headers };
  }
  const { "content-type": _, ...rest } = headers;
  return { method: outgoing.method === "HEAD" ? "HEAD" : "GET", headers: rest, body: undefined };
}

function narrow(limits: EgressLimits, wish: Partial<EgressLimits> = {}): EgressLimits {
  const least = (name: keyof EgressLimits) => Math.min(limits[name], wish[name] ?? Infinity);
  return { maxBytes: least("maxBytes"), timeoutMs: least("timeoutMs"), maxRedirects: least("maxRedirects") };
}

function joined(raw: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = (raw[index] ?? "").toLowerCase();
    const before = headers.get(name);
    const value = raw[index + 1] ?? "";
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

interface Watch {
  /** Aborts with EgressError when time is over, or with the reason of the one who asked. */
  signal: AbortSignal;
  isAlive(): void;
  stop(): void;
}

function startWatch(clock: Clock, timeoutMs: number, asked: AbortSignal): Watch {
  const late = new AbortController();
  const over = new AbortController();
  let heardAt = clock.monotonic();
  const endsAt = heardAt + timeoutMs;

  async function look(): Promise<void> {
    for (;;) {
      const now = clock.monotonic();
      if (now >= endsAt || now - heardAt >= mostSilenceMs) break;
      await clock.sleep(Math.min(endsAt, heardAt + mostSilenceMs) - now, over.signal);
    }
    late.abort(new EgressError("timed-out", "the answer did not come in time"));
  }
  // Ends by being stopped.
  look().catch(() => undefined);
  return {
    signal: AbortSignal.any([late.signal, asked]),
    isAlive: () => (heardAt = clock.monotonic()),
    stop: () => over.abort(),
  };
}
