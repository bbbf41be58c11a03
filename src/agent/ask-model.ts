/** One request to a model, drained into one message, whatever the stream does. */
import { noUsage, type AssistantMessage, type Model, type ModelEvent, type ModelRequest } from "@pincer/sdk";

/**
 * Never throws. A stream that ends without its last event, or that throws, is a failure like any other. When the signal aborts the
 * answer is there at once, with what was said so far: a model that does not heed the signal is left behind.
 */
export async function askModel(
  model: Model,
  { onEvent, ...request }: ModelRequest & { onEvent: ((event: ModelEvent) => void) | undefined },
): Promise<AssistantMessage> {
  let said = "";
  const end = (rest: Partial<AssistantMessage>): AssistantMessage => ({
    role: "assistant",
    content: said ? [{ type: "text", text: said }] : [],
    provider: model.provider,
    model: model.id,
    usage: noUsage(),
    stopReason: "error",
    ...rest,
  });

  const drain = async (): Promise<AssistantMessage> => {
    let ended: AssistantMessage | undefined;
    try {
      for await (const event of model.stream(request)) {
        if (request.signal.aborted && event.type !== "end") break;
        if (event.type === "text-delta") said += event.text;
        if (event.type === "end") ended = event.message;
        onEvent?.(event);
      }
    } catch (error) {
      return end({ errorMessage: error instanceof Error ? error.message : String(error) });
    }
    return ended ?? end({ errorMessage: "the stream ended without an answer" });
  };

  const over = new AbortController();
  const aborted = new Promise<AssistantMessage>((resolve) => {
    const leave = () =>
      // A model that does heed it may still tell what it used; it gets this turn of the loop to do so.
      setImmediate(() => setImmediate(() => resolve(end({ stopReason: "aborted" }))));
    if (request.signal.aborted) leave();
    else request.signal.addEventListener("abort", leave, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([drain(), aborted]);
  } finally {
    over.abort();
  }
}
