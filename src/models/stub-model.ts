/** The built-in model: it says that no other is connected, and needs no network. */
import { noUsage, type Model } from "@pincer/sdk";
import type { Say } from "../infra/texts.ts";

export const createStubModel = (say: Say): Model => ({
  provider: "stub",
  id: "stub",
  async *stream({ signal }) {
    const text = say("stub.reply");
    if (!signal.aborted) yield { type: "text-delta", text };
    yield {
      type: "end",
      message: {
        role: "assistant",
        content: signal.aborted ? [] : [{ type: "text", text }],
        provider: "stub",
        model: "stub",
        usage: noUsage(),
        stopReason: signal.aborted ? "aborted" : "stop",
      },
    };
  },
});
