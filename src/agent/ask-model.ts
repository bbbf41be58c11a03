/** One request to a model, drained into one message, whatever the stream does. */
import {
  PincerError,
  noUsage,
  type AssistantMessage,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
} from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { noLonger } from "../infra/no-longer.ts";

/** What a model is told and shown. */
export interface ModelAsk {
  systemPrompt: string;
  messages: Message[];
}

interface Asking extends ModelRequest {
  clock: Clock;
  onEvent: ((event: ModelEvent) => void) | undefined;
}

/**
 * Throws PincerErrors that the stream throws: a model that cannot be had, a storage that fails. Anything else that it throws is a
 * failure like any other, and so is a stream that ends without its last event. When the signal aborts, a model
 * that heeds it has a moment to tell what it used; one that does not is left behind, with what it said so far as the answer.
 */
export async function askModel(
  model: Model,
  { onEvent, clock, ...request }: Asking,
): Promise<AssistantMessage> {
  let said = "";
  const left = new AbortController();
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
        if (left.signal.aborted) break;
        // What it still says is not heard; what it has used counts.
        if (request.signal.aborted && event.type !== "end") continue;
        if (event.type === "text-delta") said += event.text;
        if (event.type === "start-over") said = "";
        if (event.type === "end") ended = event.message;
        onEvent?.(event);
      }
    } catch (error) {
      if (request.signal.aborted) return end({ stopReason: "aborted" });
      if (error instanceof PincerError && error.code !== "internal/bug") throw error;
      return end({ errorMessage: error instanceof Error ? error.message : String(error) });
    }
    if (!ended && request.signal.aborted) return end({ stopReason: "aborted" });
    return ended ?? end({});
  };

  const abandoned = new Promise<AssistantMessage>((resolve) => {
    const leave = () =>
      clock.sleep(graceMs, left.signal).then(
        () => resolve(end({ stopReason: "aborted" })),
        () => {
          // It ended in time.
        },
      );
    if (request.signal.aborted) void leave();
    else request.signal.addEventListener("abort", () => void leave(), { once: true, signal: left.signal });
  });
  try {
    return withWords(await Promise.race([drain(), abandoned]), said, request.signal);
  } finally {
    left.abort(noLonger);
  }
}

/** How long a model that was stopped may take to tell what it used. */
const graceMs = 150;

/** What was on somebody's screen when it was stopped stays, also where the model's last word does not repeat it. */
function withWords(message: AssistantMessage, said: string, signal: AbortSignal): AssistantMessage {
  const hasText = message.content.some((block) => block.type === "text" && block.text !== "");
  if (!signal.aborted || said === "" || hasText) return message;
  return { ...message, content: [...message.content, { type: "text", text: said }] };
}
