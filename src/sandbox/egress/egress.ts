/**
 * The only way out for addresses that come from a text: of a model, a page, a message, a sandboxed program. Nothing
 * else in the product dials such an address. Addresses in the owner's config do not come this way.
 */
import type { Duplex } from "node:stream";

export interface EgressRules {
  /** Only these hosts, where any are named: `example.org`, `*.example.org`, each perhaps with `:port`. */
  allow: readonly string[];
  /** Never these; deny wins. */
  deny: readonly string[];
  /** Hosts and ranges of this machine or its network that may be reached all the same. */
  allowPrivate: readonly string[];
}

export interface EgressLimits {
  /** Of the answer, as it is read: packed bytes count unpacked. */
  maxBytes: number;
  timeoutMs: number;
  maxRedirects: number;
}

export interface EgressRequest {
  url: string;
  /** `GET` unless told. */
  method?: string;
  /** Credentials among them do not go along to another host. */
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
  signal: AbortSignal;
  /**
   * From one of these hosts no redirect is followed to any other: they may be asked anything, so what they send on
   * is the caller's to judge.
   */
  staysOn?: readonly string[];
  /** Narrower than what the broker was made with, never wider. */
  limits?: Partial<EgressLimits>;
}

export interface EgressResponse {
  status: number;
  /** Lower-case names; where one came several times, joined with ", ". */
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** Whether `maxBytes` cut the body. */
  truncated: boolean;
  /** Where it came from in the end. */
  url: string;
  /** That is on this machine or in its network, which the owner opened. */
  isInside?: boolean;
}

/** What the world did: `code` says what to do next. The message is fit for the model and for people, and names no address of the inside. */
export type EgressErrorCode = "refused" | "unavailable" | "timed-out" | "too-many-redirects";

export class EgressError extends Error {
  override readonly name = "EgressError";
  readonly code: EgressErrorCode;
  constructor(code: EgressErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export interface Egress {
  /** Throws EgressError, or the signal's reason. Any status is an answer. */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** Throws EgressError for an address that is refused anyway, as far as that is known without asking anybody: nothing is looked up or dialled. */
  check?(url: string): Promise<void>;
  /** A checked connection, for the proxy; `rules` narrow what holds anyway. Throws EgressError. The caller closes it. */
  dial(
    to: { host: string; port: number },
    rules: Pick<EgressRules, "allow">,
    signal: AbortSignal,
  ): Promise<Duplex>;
}
