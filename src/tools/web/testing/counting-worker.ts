/** A thread that answers each page with how many it was given. */
import { parentPort } from "node:worker_threads";

let count = 0;
parentPort?.on("message", () => {
  count += 1;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage({ type: "page", page: { kind: "text", title: "", text: String(count) } });
});
