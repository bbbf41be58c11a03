/** A thread that a page has caught: it goes round in circles, or eats memory, or dies. The words of the page say which. */
import { parentPort } from "node:worker_threads";
import type { PageJob } from "../page-jobs.ts";

const hoard: unknown[] = [];
parentPort?.on("message", (job: PageJob) => {
  const words = Buffer.from(job.bytes).toString();
  if (words === "die") process.exit(1);
  for (;;) if (words === "eat") hoard.push(Array.from({ length: 10_000 }, () => ({})));
});
