/** One exchange over HTTP as the wire sees it from below the library: when bytes come, and what a refusal looked like. */
import type { FailureEvidence } from "../failure/failure-evidence.ts";
import type { Fetch } from "./http-fetch.ts";

export interface Exchange {
  /** For the library. */
  fetch: Fetch;
  /** What is known of a failure; empty when none was seen. */
  evidence(): FailureEvidence;
  isSent(): boolean;
  /** For a library that sends by itself. */
  noteSent(): void;
}

export interface ExchangeParts {
  fetch: Fetch;
  /** Between the server and the library, for answers that succeed; left out, what comes is passed on. */
  through?: ((body: ReadableStream<Uint8Array>, watch: BodyWatch) => ReadableStream<Uint8Array>) | undefined;
  /** A piece of an answer has come. */
  onBytes(): void;
}

export interface BodyWatch {
  /** A piece has come. */
  onBytes(): void;
  /** It broke off. */
  onError(error: unknown): void;
}

/** As much of a refusal as is read. */
const mostRefusalBytes = 64 * 1024;

export function createExchange({ fetch, through = watched, onBytes }: ExchangeParts): Exchange {
  let evidence: FailureEvidence = {};
  let isSent = false;
  const broken = (error: unknown): void => {
    evidence = { error, hasBegun: true };
  };
  return {
    evidence: () => evidence,
    isSent: () => isSent,
    noteSent() {
      isSent = true;
    },
    async fetch(input, init) {
      isSent = true;
      const headers = withoutChatter(new Headers(init?.headers));
      const response = await fetch(input, { ...init, headers }).catch((error: unknown) => {
        evidence = { error };
        throw error;
      });
      if (!response.ok) {
        const body = await beginningOf(response);
        evidence = { status: response.status, headers: Object.fromEntries(response.headers), body };
        return new Response(body, response);
      }
      if (!response.body) return response;
      return new Response(through(response.body, { onBytes, onError: broken }), response);
    },
  };
}

/** The libraries tell every server which machine they run on. */
const withoutChatter = (headers: Headers): Headers =>
  new Headers([...headers].filter(([name]) => !name.startsWith("x-stainless-")));

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

function watched(
  body: ReadableStream<Uint8Array>,
  { onBytes, onError }: BodyWatch,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          onBytes();
          return controller.enqueue(value);
        } catch (error) {
          onError(error);
          return controller.error(error);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
