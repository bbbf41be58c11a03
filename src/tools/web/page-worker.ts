/** The thread that reads pages: one job at a time. */
import { parentPort } from "node:worker_threads";
import { decodeText } from "./decode-text.ts";
import type { PageAnswer, PageJob } from "./page-jobs.ts";
import { readPage } from "./read-page.ts";

const port = parentPort;
port?.on("message", (job: PageJob) => {
  void answer(job).then((said) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    port.postMessage(said);
  });
});

async function answer(job: PageJob): Promise<PageAnswer> {
  try {
    if (job.type === "page") return { type: "page", page: await readPage(job) };
    const { readDuckDuckGoPage } = await import("./duckduckgo-page.ts");
    return { type: "found", found: readDuckDuckGoPage(decodeText(job.bytes, job.contentType)) };
  } catch (error) {
    return { type: "failed", message: error instanceof Error ? error.message : String(error) };
  }
}
