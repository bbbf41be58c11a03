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
import { withinReach } from "./within-reach.ts";

/** What a model is told and shown. */
export interface ModelAsk {
  systemPrompt: string;
  messages: Message[];
}

interface Asking extends ModelRequest {
  clock: Clock;
  /** The model is stopped when it says more; what it said until then is an answer that was cut. */
  maxCharacters?: number | undefined;
  onEvent: ((event: ModelEvent) => void) | undefined;
}

/**
 * Throws PincerErrors that the stream throws: a model that cannot be had, a storage that fails. Anything else that it throws is a
 * failure like any other, and so is a stream that ends without its last event. When the signal aborts, a model
 * that heeds it has a moment to tell what it used; one that does not is left behind, with what it said so far as the answer.
 */
export async function askModel(
  model: Model,
  { onEvent, clock, maxCharacters = Infinity, ...asked }: Asking,
): Promise<AssistantMessage> {
  const cutting = new AbortController();
  const request = { ...asked, signal: AbortSignal.any([asked.signal, cutting.signal]) };
  let thought = 0;
  let said = "";
  let hasLeft = false;
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
        if (hasLeft) break;
        // What it still says is not heard; what it has used counts.
        if (request.signal.aborted && event.type !== "end") continue;
        if (event.type === "text-delta") said += event.text;
        if (event.type === "thinking-delta") thought += event.text.length;
        if (said.length > maxCharacters || thought > maxCharacters * thoughtsPerAnswer) {
          said = cutAt(said, maxCharacters);
          cutting.abort();
          continue;
        }
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

  const { signal } = request;
  try {
    const message = await withinReach(drain(), { clock, signal }, () => end({ stopReason: "aborted" }));
    if (cutting.signal.aborted && !asked.signal.aborted)
      return end({ stopReason: "length", usage: message.usage });
    return withWords(message, said, signal);
  } finally {
    hasLeft = true;
  }
}

/** Models think longer than they talk. */
const thoughtsPerAnswer = 5;

/** Not between the halves of a character. */
const cutAt = (text: string, length: number): string => text.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");

/** What was on somebody's screen when it was stopped stays, also where the model's last word does not repeat it. */
function withWords(message: AssistantMessage, said: string, signal: AbortSignal): AssistantMessage {
  const hasText = message.content.some((block) => block.type === "text" && block.text !== "");
  if (!signal.aborted || said === "" || hasText) return message;
  return { ...message, content: [...message.content, { type: "text", text: said }] };
}
