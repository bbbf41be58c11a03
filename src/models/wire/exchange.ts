/** One exchange over HTTP as the wire sees it from below the library: when bytes come, and what a refusal looked like. */
import { HttpHeaders } from "../../infra/http-headers.ts";
import { HttpResponse } from "../../infra/http-response.ts";
import type { FailureEvidence } from "../failure/failure-evidence.ts";
import { HttpAnswer, type Fetch, type FetchFailure } from "./http-fetch.ts";
import type { PieceReader } from "./piece-reader.ts";

export interface Exchange {
  /** For the library. */
  fetch: Fetch;
  /** What is known of a failure; empty when none was seen. */
  evidence(): FailureEvidence;
  isSent(): boolean;
  /** Whether the server may have worked on it: it was sent, and no status refused it. False for a library that sends by itself. */
  isTaken(): boolean;
  /** Whether the answer was read to its end, so that nothing of the exchange is left to be given up. */
  isOver(): boolean;
  /** For a library that sends by itself. */
  noteSent(): void;
}

export interface ExchangeParts {
  fetch: Fetch;
  /** Between the server and the library, for answers that succeed; left out, what comes is passed on. */
  through?: ((body: Pieces, watch: BodyWatch) => ReadableStream<Uint8Array>) | undefined;
  /** The events of an answer that came as a whole; undefined when it is none. */
  fromWhole?: ((text: string) => string | undefined) | undefined;
  /** What goes out in the place of the body that the library gives; undefined: that. */
  body?: (() => string | undefined) | undefined;
  /** Whether a header may go out. */
  passesHeader?(name: string, value: string): boolean;
  /** A piece of an answer has come. */
  onBytes(): void;
  /** Resolves when more of the answer is wanted; never rejects. */
  ready?(): Promise<void>;
}

/** A stream, or whatever else can be read in pieces. */
export interface Pieces {
  getReader(): PieceReader;
}

export interface BodyWatch {
  /** Waited for before each piece is read. Rejects when no more is wanted. */
  ready(): Promise<void>;
  onBytes(piece: Uint8Array): void;
  /** It broke off. */
  onError(error: unknown): void;
  /** There is no more of it. */
  onEnd(): void;
}

/** As much of a refusal as is read. */
const mostRefusalBytes = 64 * 1024;

export function createExchange(parts: ExchangeParts): Exchange {
  const { fetch, through = watched, passesHeader = () => true, fromWhole, onBytes, ready, body } = parts;
  let evidence: FailureEvidence = {};
  let isSent = false;
  let isTaken = false;
  let isOver = false;
  const page = createPage();
  const watch = (signal: AbortSignal | null | undefined): BodyWatch => ({
    async ready() {
      await ready?.();
      // A fetch that does not hear of it would go on.
      signal?.throwIfAborted();
    },
    onBytes(piece) {
      page.look(piece);
      onBytes();
    },
    onError(error) {
      evidence = { error, hasBegun: true };
    },
    onEnd() {
      isOver = true;
    },
  });

  return {
    // What came in the place of events says more than that there were none.
    evidence: () => (page.isPage() ? { body: page.text(), text: notEvents, error: undefined } : evidence),
    isSent: () => isSent,
    isTaken: () => isTaken,
    isOver: () => isOver,
    noteSent() {
      isSent = true;
    },
    async fetch(input, init) {
      isSent = isTaken = true;
      isOver = false;
      const headers = new HttpHeaders(init?.headers);
      for (const [name, value] of headers)
        if (isChatter(name) || !passesHeader(name, value)) headers.delete(name);
      const written = body?.();
      const sent = written === undefined ? { ...init, headers } : { ...init, headers, body: written };
      const response = await fetch(input, sent).catch((error: FetchFailure) => {
        evidence = { error };
        isTaken = !error.isUnsent;
        throw error;
      });
      if (!response.ok) {
        isTaken = false;
        const said = await beginningOf(response);
        evidence = { status: response.status, headers: Object.fromEntries(response.headers), body: said };
        return new HttpResponse(bodiless.includes(response.status) ? null : said, response);
      }
      const pieces = await piecesOf(response, fromWhole);
      return pieces ? new HttpResponse(through(pieces, watch(init?.signal)), response) : response;
    },
  };
}

const notEvents = "the answer is not a stream of events";

/** Those whose answers must not have a body. */
const bodiless: readonly number[] = [204, 205, 304];

/** The libraries tell every server which machine they run on. */
const isChatter = (name: string): boolean => name.startsWith("x-stainless-");

const isWhole = ({ headers }: Response): boolean =>
  headers.get("content-type")?.includes("application/json") ?? false;

/** Undefined for an answer without a body. */
async function piecesOf(
  response: Response,
  fromWhole: ExchangeParts["fromWhole"],
): Promise<Pieces | undefined> {
  if (response instanceof HttpAnswer && !(isWhole(response) && fromWhole))
    return { getReader: () => response.pieces };
  if (!response.body) return undefined;
  return isWhole(response) && fromWhole ? translated(response.body, fromWhole) : response.body;
}

/** The most that an answer which comes as a whole may have. */
const mostWholeBytes = 16 * 1024 * 1024;

async function translated(
  body: ReadableStream<Uint8Array>,
  fromWhole: (text: string) => string | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    if (length > mostWholeBytes) break;
  }
  const text = Buffer.concat(parts).toString();
  return new Blob([fromWhole(text) ?? text]).stream();
}

interface Page {
  look(piece: Uint8Array): void;
  /** Whether it is an object or a page for browsers, which no stream of events begins with. */
  isPage(): boolean;
  /** As much of it as is kept. */
  text(): string;
}

function createPage(): Page {
  const parts: Uint8Array[] = [];
  let length = 0;
  let isPage: boolean | undefined;
  return {
    look(piece) {
      if (isPage === undefined) {
        const [first] = Buffer.from(piece).toString("latin1").trimStart();
        if (first !== undefined) isPage = "{[<".includes(first);
      }
      if (!isPage || length >= mostRefusalBytes) return;
      parts.push(piece.slice(0, mostRefusalBytes - length));
      length += piece.length;
    },
    isPage: () => isPage === true,
    text: () => Buffer.concat(parts).toString(),
  };
}

async function beginningOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const part of response.body ?? []) {
      parts.push(part);
      length += part.length;
      if (length >= mostRefusalBytes) break;
    }
  } catch {
    // The status says enough where the words broke off.
  }
  return Buffer.concat(parts).toString().slice(0, mostRefusalBytes);
}

function watched(body: Pieces, { ready, onBytes, onError, onEnd }: BodyWatch): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          await ready();
          const { done, value } = await reader.read();
          if (done) {
            onEnd();
            return controller.close();
          }
          onBytes(value);
          return controller.enqueue(value);
        } catch (error) {
          void reader.cancel(error).catch(() => undefined);
          onError(error);
          return controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
