/** A process that answers questions: one line of JSON each way, whatever it is that answers. */
import { spawn } from "node:child_process";

export interface LineProcess {
  /** What it answers; the question is given an id. Throws ProcessEnded, or the signal's reason. */
  ask(question: object, signal: AbortSignal): Promise<{ id: number }>;
  /** Resolves when it is gone. Pending questions are rejected. Safe to call twice. */
  end(): Promise<void>;
}

export class ProcessEnded extends Error {}

const mostErrorText = 2_000;

/** Runs `program` (for `node -e`) with `args`. It inherits no environment: there may be keys in ours. What keeps it from starting ends it. */
export function startLineProcess(
  program: string,
  args: readonly string[],
  { heapMb }: { heapMb: number },
): LineProcess {
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMb}`, "--max-semi-space-size=1", "-e", program, ...args],
    {
      stdio: ["pipe", "pipe", "pipe"],
      env: {},
      windowsHide: true,
    },
  );
  const waiting = new Map<number, (answer: { id: number } | ProcessEnded) => void>();
  const { promise: gone, resolve: setGone } = Promise.withResolvers<void>();
  let lastId = 0;
  let said = "";
  let unread = "";
  let hasEnded = false;

  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    const lines = (unread + text).split("\n");
    unread = lines.pop() ?? "";
    for (const line of lines) {
      const answer = JSON.parse(line) as { id: number };
      waiting.get(answer.id)?.(answer);
    }
  });
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (text: string) => (said = (said + text).slice(-mostErrorText)));
  // A process that is gone closes its input; `close` tells of it.
  child.stdin.on("error", () => undefined);
  child.on("error", (error) => ended(error.message));
  child.on("close", (status, signal) => ended(said.trim() || `it ended with ${signal ?? status}`));

  function ended(reason: string): void {
    hasEnded = true;
    for (const tell of waiting.values()) tell(new ProcessEnded(reason));
    setGone();
  }

  return {
    async ask(question, signal) {
      signal.throwIfAborted();
      if (hasEnded) throw new ProcessEnded("it has ended");
      const id = ++lastId;
      const { promise, resolve, reject } = Promise.withResolvers<{ id: number }>();
      const abort = () => reject(signal.reason);
      waiting.set(id, (answer) => (answer instanceof ProcessEnded ? reject(answer) : resolve(answer)));
      signal.addEventListener("abort", abort, { once: true });
      child.stdin.write(`${JSON.stringify({ ...question, id })}\n`);
      try {
        return await promise;
      } finally {
        waiting.delete(id);
        signal.removeEventListener("abort", abort);
      }
    },
    async end() {
      // It holds nothing that must be brought to an end first.
      if (!hasEnded) child.kill("SIGKILL");
      await gone;
    },
  };
}
