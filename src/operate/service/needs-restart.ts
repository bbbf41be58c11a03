/** Which config changes a running gateway cannot apply: it then restarts in the same process. */
import { isDeepStrictEqual } from "node:util";
import { readPath } from "@pincer/sdk";
import type { Config } from "../../config/schema.ts";

/** What is read once, when the gateway starts. Whatever is not listed holds from the next message, request or connection on. */
const readAtStart = [
  "gateway.http",
  "gateway.port",
  "gateway.bind",
  "gateway.host",
  "gateway.limits.connections",
  "gateway.limits.frameBytes",
  "gateway.openMetrics",
  "gateway.discovery",
  "gateway.tailscale",
  "plugins",
  "queue.concurrency",
  "telemetry",
] as const;

/** The keys that have changed and are read only at the start; none means that the change is in force. */
export const needsRestart = (before: Config, after: Config): string[] =>
  readAtStart.filter((key) => {
    const path = key.split(".");
    return !isDeepStrictEqual(readPath(before, path), readPath(after, path));
  });
