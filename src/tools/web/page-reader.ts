/**
 * Reads pages on a separate thread, because a hostile page that loops a parser or eats memory must not block the main
 * thread. The thread starts with the first page, and ends after an idle time or when a page takes too long.
 */
import { Worker } from "node:worker_threads";
import type { Clock } from "../../infra/clock.ts";
import { noLonger } from "../../infra/no-longer.ts";
import { createOneAtATime } from "../../infra/one-at-a-time.ts";
import type { FoundPage } from "./duckduckgo-page.ts";
import type { PageAnswer, PageJob } from "./page-jobs.ts";
import type { PageSource, PageText } from "./read-page.ts";

export interface PageReader {
  /** Rejects with an error that is worded for a model, or with the signal's reason. */
  readPage(page: PageSource, signal: AbortSignal): Promise<PageText>;
  /** The results on a DuckDuckGo page. Rejects likewise. */
  readDuckDuckGo(page: Pick<PageSource, "bytes" | "contentType">, signal: AbortSignal): Promise<FoundPage[]>;
  /** Ends the thread, if any. Safe to call twice; pending reads are rejected. */
  close(): Promise<void>;
}

export interface PageReaderParts {
  clock: Clock;
  /** The code of the thread, unless beside this file. */
  entry?: URL | undefined;
}

const mostReadingMs = 10_000;
const idleMs = 30_000;

export function createPageReader({ clock, entry = ownEntry() }: PageReaderParts): PageReader {
  const oneAtATime = createOneAtATime();
  let worker: Worker | undefined;
  let idle = new AbortController();

  const ask = (job: PageJob, signal: AbortSignal): Promise<PageAnswer> =>
    oneAtATime("page", async () => {
      signal.throwIfAborted();
      idle.abort(noLonger);
      const thread = (worker ??= start());
      try {
        return await answerOf(thread, job, { clock, signal });
      } catch (error) {
        // Its state is unknown: the next page gets a new thread.
        end(thread);
        throw error;
      } finally {
        endWhenIdle();
      }
    });

  function start(): Worker {
    const thread = new Worker(entry, {
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
      // Discards what libraries print about a page.
      stdout: true,
      stderr: true,
    });
    thread.stdout.resume();
    thread.stderr.resume();
    // Pending reads are rejected elsewhere; without a listener the process would crash.
    thread.on("error", () => undefined);
    thread.once("exit", () => {
      if (worker === thread) worker = undefined;
    });
    thread.unref();
    return thread;
  }

  function end(thread: Worker): Promise<unknown> {
    if (worker === thread) worker = undefined;
    return thread.terminate();
  }

  function endWhenIdle(): void {
    const mine = (idle = new AbortController());
    clock.sleep(idleMs, mine.signal).then(
      () => worker && void end(worker),
      () => undefined,
    );
  }

  return {
    async readPage(page, signal) {
      const answer = await ask({ type: "page", ...page }, signal);
      if (answer.type !== "page") throw new Error(reasonOf(answer));
      return answer.page;
    },
    async readDuckDuckGo(page, signal) {
      const answer = await ask({ type: "duckduckgo", ...page }, signal);
      if (answer.type !== "found") throw new Error(reasonOf(answer));
      return answer.found;
    },
    async close() {
      idle.abort(noLonger);
      if (worker) await end(worker);
    },
  };
}

interface Patience {
  clock: Clock;
  signal: AbortSignal;
}

async function answerOf(thread: Worker, job: PageJob, { clock, signal }: Patience): Promise<PageAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PageAnswer>();
  const over = new AbortController();
  const failed = (error: unknown) => reject(endedBy(error));
  const exited = () => reject(new Error("reading the page was broken off"));
  thread.once("message", resolve);
  thread.once("error", failed);
  thread.once("exit", exited);
  clock.sleep(mostReadingMs, AbortSignal.any([over.signal, signal])).then(
    () => reject(new Error(`reading the page took more than ${mostReadingMs / 1000} seconds`)),
    () => signal.aborted && reject(signal.reason),
  );
  thread.ref();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  thread.postMessage(job);
  try {
    return await promise;
  } finally {
    over.abort(noLonger);
    thread.off("message", resolve);
    thread.off("error", failed);
    thread.off("exit", exited);
    thread.unref();
  }
}

function endedBy(error: unknown): Error {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "ERR_WORKER_OUT_OF_MEMORY" ? "it takes too much memory" : "it broke the reader";
  return new Error(`the page cannot be read: ${reason}`, { cause: error });
}

const reasonOf = (answer: PageAnswer): string =>
  answer.type === "failed" ? `the page cannot be read: ${answer.message}` : "the page cannot be read";

/** Beside this file, under its name in the sources or in the bundle. */
function ownEntry(): URL {
  const isSource = import.meta.url.endsWith(".ts");
  return new URL(isSource ? "./page-worker.ts" : "./page-thread.mjs", import.meta.url);
}
