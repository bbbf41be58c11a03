/** A route of the gateway's HTTP server: who may call it, and what answers. The server does everything before that. */
import type { PermissionPoint } from "@pincer/sdk";
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Caller } from "../../policy/caller.ts";

export interface HttpCall {
  method: string;
  path: string;
  /** What stands in the path where the route has a `:name`; `*` is the rest. Decoded. */
  parameters: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The peer of the connection, or what a trusted proxy says about it. */
  address: string;
  /** Aborts when the client disconnects, or the gateway ends. */
  signal: AbortSignal;
  /** The whole body, once. Throws HttpFailure 413 when it is too large, 408 when it takes too long. */
  body(): Promise<Buffer>;
  /** The body as it comes, once and instead of `body`: what was not asked for yet waits at the sender's. Throws as `body` does. */
  pieces(): AsyncIterable<Uint8Array>;
  /** The body as JSON. Throws HttpFailure 400 for what is none, 415 for another type. */
  json(): Promise<unknown>;
}

export interface AdmittedCall extends HttpCall {
  caller: Caller;
}

/** Exactly one of these is called, once. */
export interface HttpReply {
  json(status: number, value: unknown, headers?: OutgoingHttpHeaders): void;
  text(status: number, text: string, headers?: OutgoingHttpHeaders): void;
  bytes(status: number, bytes: Uint8Array, headers: OutgoingHttpHeaders): void;
  /** Server-sent events, until `end`. Clients that do not read are cut off. */
  events(headers?: OutgoingHttpHeaders): EventStream;
  /** A body of unknown length, as fast as it is read, until `end`. */
  stream(status: number, headers: OutgoingHttpHeaders): BodyStream;
}

export interface BodyStream {
  /** Resolves when there is room for more; false when the reader has gone. */
  write(chunk: string): Promise<boolean>;
  end(): void;
  /** Ends the connection in the middle, so that nobody takes what came for the whole. */
  cut(): void;
}

export interface EventStream {
  /** False when the reader has gone: nothing more needs to be made. */
  send(data: string, event?: string): boolean;
  /** A comment that readers skip: it keeps what lies between from hanging up. Answers like `send`. */
  beat(): boolean;
  end(): void;
}

interface RouteBase {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** "/v1/models", "/hooks/:name", "/docs/*". */
  path: string;
  /** The most that a body may hold here, where that is not what the config says for all. */
  bodyBytes?(): number;
  /** How failures are said; without it as `{ error: FrameError }`. */
  failure?(failure: HttpFailure): unknown;
}

/** `isFile`: one that the build made and that tells nothing of anybody. A page is made of many, so they are not counted against an address. */
export interface OpenAccess {
  type: "open";
  isFile?: true;
}

/** `access` is who may call it. permission: the caller's role must hold it. open: anybody who can connect. own: the route proves the caller itself (signed hooks). */
export type HttpRoute =
  | (RouteBase & {
      access: { type: "permission"; point: PermissionPoint };
      handle(call: AdmittedCall, reply: HttpReply): Promise<void>;
    })
  | (RouteBase & {
      access: OpenAccess | { type: "own" };
      handle(call: HttpCall, reply: HttpReply): Promise<void>;
    });

/** An answer that is a failure; PincerErrors that a route throws become one by their code. */
export class HttpFailure extends Error {
  readonly status: number;
  /** Of the protocol's codes, or the route's own. */
  readonly code: string;
  readonly hint: string | undefined;
  readonly headers: OutgoingHttpHeaders;

  constructor(
    status: number,
    code: string,
    message: string,
    { hint, headers = {} }: { hint?: string | undefined; headers?: OutgoingHttpHeaders } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.headers = headers;
  }
}
