/** Local vectors: a separate process holds the words, starts with the first text and ends after an idle time. */
import { join } from "node:path";
import { systemClock, type Clock } from "../../infra/clock.ts";
import { oneLine, shorten } from "../../infra/one-line.ts";
import { embedderError, type Embedder, type EmbedderSpec } from "./embedder.ts";
import { ProcessEnded, startLineProcess, type LineProcess } from "./line-process.ts";
import { localPackage, localWordsFile } from "./local-package.ts";
import { localProgram, type LocalAnswer } from "./local-program.ts";
import { readVectors } from "./read-vectors.ts";

type LocalSpec = Extract<EmbedderSpec, { type: "local" }>;

const most = 200;

export function createLocalEmbedder(
  { directory, idleMs }: LocalSpec,
  { clock = systemClock }: { clock?: Clock } = {},
): Embedder {
  let running: LineProcess | undefined;
  let asking = 0;
  let isClosed = false;
  let rest: AbortController | undefined;

  function start(): LineProcess {
    const kept = join(directory, "words-100000.bin");
    return startLineProcess(localProgram, [localWordsFile(directory), kept], { heapMb: 64 });
  }

  async function ask(texts: readonly string[], signal: AbortSignal): Promise<LocalAnswer> {
    for (let isAgain = false; ; isAgain = true) {
      running ??= start();
      const asked = running;
      try {
        return (await asked.ask({ texts }, signal)) as LocalAnswer;
      } catch (error) {
        if (!(error instanceof ProcessEnded)) throw error;
        if (running === asked) running = undefined;
        if (!isAgain && !isClosed) continue;
        const reason = shorten(oneLine(error.message), most);
        throw embedderError("embedder.local.failed", { reason }, { retryable: true, cause: error });
      }
    }
  }

  async function endWhenIdle(): Promise<void> {
    rest = new AbortController();
    const { signal } = rest;
    try {
      await clock.sleep(idleMs, signal);
    } catch {
      // Used or closed meanwhile.
      return;
    }
    const idle = running;
    running = undefined;
    await idle?.end();
  }

  return {
    id: "local:glove-100d",
    strength: "weak",
    batchSize: 256,
    accepts: isMostlyLatin,
    async embed(texts, _purpose, signal) {
      signal.throwIfAborted();
      if (texts.length === 0) return [];
      const command = localPackage.installCommand(directory);
      const { diskMb } = localPackage.cost;
      if (!localPackage.installedIn(directory))
        throw embedderError("embedder.local.missing", { command, diskMb }, { retryable: false });
      rest?.abort();
      asking++;
      try {
        const answer = await ask(texts, signal);
        const read =
          "error" in answer
            ? { wrong: answer.error }
            : readVectors(vectorsIn(answer), texts.length, undefined);
        if ("vectors" in read) return read.vectors;
        const reason = shorten(oneLine(read.wrong), most);
        throw embedderError("embedder.local.unreadable", { reason, command }, { retryable: false });
      } finally {
        asking--;
        if (asking === 0) void endWhenIdle();
      }
    },
    async close() {
      isClosed = true;
      rest?.abort();
      const last = running;
      running = undefined;
      await last?.end();
    },
  };
}

function vectorsIn({ size, vectors }: Extract<LocalAnswer, { size: number }>): string[] {
  const bytes = Buffer.from(vectors, "base64");
  return Array.from({ length: bytes.length / (size * 4) }, (_, index) =>
    bytes.toString("base64", index * size * 4, (index + 1) * size * 4),
  );
}

/** It knows English alone, which is written so; of a text in other letters it would know a few names at best. */
function isMostlyLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return latin > 0 && latin * 2 >= letters;
}
