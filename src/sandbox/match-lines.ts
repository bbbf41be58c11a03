/**
 * Finds lines in a text, by words or by a regular expression. An expression comes from a model and may take for ever,
 * so it runs on its own thread with a time limit.
 */
import { Worker } from "node:worker_threads";
import { WorkdirError } from "./workdir-opener.ts";

export interface FoundLine {
  /** Counted from 1. */
  line: number;
  text: string;
}

export interface LineMatcher {
  /** At most `most` lines. Rejects at the time limit. */
  find(text: string, most: number): Promise<FoundLine[]>;
  /** Safe to call twice. */
  close(): Promise<void>;
}

/** Only the beginning of a longer line is searched. */
const longestLine = 1000;
const shownChars = 300;

export const wordMatcher = (words: string): LineMatcher => ({
  async find(text, most) {
    const found: FoundLine[] = [];
    let [line, start] = [1, 0];
    for (let at = text.indexOf(words); at >= 0 && found.length < most;) {
      for (let next = text.indexOf("\n", start); next >= 0 && next < at; next = text.indexOf("\n", start)) {
        start = next + 1;
        line += 1;
      }
      const end = text.indexOf("\n", at);
      found.push({ line, text: text.slice(start, end < 0 ? undefined : end).slice(0, shownChars) });
      at = end < 0 ? -1 : text.indexOf(words, end + 1);
    }
    return found;
  },
  close: async () => {},
});

/** Throws WorkdirError for an invalid expression. The thread starts with the first text. */
export function expressionMatcher(source: string, signal: AbortSignal): LineMatcher {
  refuseNonsense(source);
  let worker: Worker | undefined;

  function start(): Worker {
    const started = new Worker(threadCode, {
      eval: true,
      workerData: { source, longestLine, shownChars },
      resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb: 2 },
    });
    started.setMaxListeners(0);
    started.unref();
    return started;
  }

  return {
    find(text, most) {
      const thread = (worker ??= start());
      return new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          thread.off("message", onMessage).off("error", onError).off("exit", onExit);
          signal.removeEventListener("abort", onAbort);
          thread.unref();
          act();
        };
        const onMessage = (found: FoundLine[]) => settle(() => resolve(found));
        const onError = (error: unknown) => settle(() => reject(error));
        const onExit = () => settle(() => reject(new WorkdirError("the expression needs too much memory")));
        const onAbort = () => {
          settle(() => reject(signal.reason));
          void thread.terminate();
        };
        if (signal.aborted) return onAbort();
        thread.on("message", onMessage).on("error", onError).on("exit", onExit);
        signal.addEventListener("abort", onAbort);
        thread.ref();
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
        thread.postMessage({ text, most });
      });
    },
    async close() {
      await worker?.terminate();
    },
  };
}

function refuseNonsense(source: string): void {
  try {
    void new RegExp(source);
  } catch (error) {
    throw new WorkdirError(`the query is no regular expression: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

const threadCode = `
const { parentPort, workerData } = require("node:worker_threads");
const expression = new RegExp(workerData.source);
parentPort.on("message", ({ text, most }) => {
  const found = [];
  const lines = text.split("\\n");
  for (let index = 0; index < lines.length && found.length < most; index++)
    if (expression.test(lines[index].replace(/\\r$/, "").slice(0, workerData.longestLine)))
      found.push({ line: index + 1, text: lines[index].slice(0, workerData.shownChars) });
  parentPort.postMessage(found);
});
`;
