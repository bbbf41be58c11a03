/** What becomes of one line: stored, refused for good, or to be tried again. */
import { PincerError, type ChannelHost } from "@pincer/sdk";
import { parseLine } from "./parse-line.ts";

export type TakenLine =
  | { type: "stored"; id: string }
  /** It will never be taken: say so and go on. */
  | { type: "refused"; id: string | undefined; reason: string };

/** Throws when it could not be stored now; it must then come again. */
export async function takeLine(
  host: Pick<ChannelHost, "receive" | "clock">,
  line: string,
  fallbackId: string,
): Promise<TakenLine> {
  const parsed = parseLine(line, { fallbackId, now: host.clock.now() });
  if (parsed.type === "bad") return { type: "refused", id: parsed.id, reason: parsed.reason };
  const { id } = parsed;
  try {
    await host.receive(parsed.message);
    return { type: "stored", id };
  } catch (error) {
    if (!(error instanceof PincerError) || error.domain !== "usage") throw error;
    return { type: "refused", id, reason: error.message };
  }
}
