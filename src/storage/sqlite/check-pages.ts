/**
 * Reads every page of the database and looks whether they fit together (`quick_check`), on a thread of its own that ends with the answer: it
 * reads the whole file, and the gateway's thread must not wait for that.
 */
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import type { PincerError } from "@pincer/sdk";
import { asPincerError } from "@pincer/sdk";
import { asStorageError, damageFound } from "./sqlite-errors.ts";

/** What is damaged; empty when all is well. Throws PincerError `storage/…` where it could not look, and the signal's reason. */
export async function checkPages(file: string, signal?: AbortSignal): Promise<PincerError[]> {
  signal?.throwIfAborted();
  const url = pathToFileURL(file);
  url.searchParams.set("mode", "ro");
  const worker = new Worker(threadCode, {
    eval: true,
    workerData: { url: url.href },
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32, stackSizeMb: 1 },
  });
  worker.unref();
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const stop = () => {
    reject(signal?.reason);
    void worker.terminate();
  };
  signal?.addEventListener("abort", stop, { once: true });
  worker.once("message", resolve);
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("the check of the pages ended without an answer")));
  try {
    const answer = await promise;
    if ("lines" in answer) return damageFound({ integrity: answer.lines, orphans: [] });
    const { message, errcode } = answer;
    const error = asPincerError(
      asStorageError(Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode }), file),
    );
    if (error.code === "storage/corrupt") return [error];
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

type Answer = { lines: string[] } | { message: string; errcode: number };

/** Plain JavaScript as text, so that it runs from the sources and from the bundle alike. On Linux a priority belongs to a thread, elsewhere to the process. */
const threadCode = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { DatabaseSync } = require("node:sqlite");
  if (process.platform === "linux") try { require("node:os").setPriority(0, 19); } catch {}
  let connection;
  let answer;
  try {
    connection = new DatabaseSync(workerData.url, { readOnly: true, timeout: 15000 });
    const lines = connection.prepare("PRAGMA quick_check(20)").all().map((row) => String(row.quick_check));
    answer = { lines };
  } catch (error) {
    answer = { message: String(error.message), errcode: error.errcode ?? 1 };
  }
  try { connection?.close(); } catch {}
  parentPort.postMessage(answer);
`;
