/** For callers that would rather be called than read events. */
import type { ReplyEvent } from "./reply-stream.ts";
import type { ToolMeta } from "./tool-metas.ts";

export interface ReplyCallbacks {
  onPartialReply?(text: string): void;
  onBlockReply?(block: string): void;
  onReasoningStream?(text: string): void;
  onToolStart?(call: { id: string; name: string; input: unknown }): void;
  onToolEnd?(end: { id: string; name: string; result: unknown; error?: string }): void;
  onTakeBack?(text: string): void;
  onStartOver?(): void;
  onComplete?(summary: { assistantTexts: string[]; toolMetas: ToolMeta[] }): void;
  /** Hears of callbacks that threw. */
  onFailure?(error: unknown): void;
}

/** Hands events to callbacks, in order. Never throws: a callback that does loses its event only. */
export function toCallbacks(callbacks: ReplyCallbacks): (events: readonly ReplyEvent[]) => void {
  return (events) => {
    for (const event of events) {
      try {
        call(callbacks, event);
      } catch (error) {
        try {
          callbacks.onFailure?.(error);
        } catch {
          // There is nobody left to tell, and the next event must still arrive.
        }
      }
    }
  };
}

function call(callbacks: ReplyCallbacks, event: ReplyEvent): void {
  if (event.type === "partial") callbacks.onPartialReply?.(event.text);
  else if (event.type === "block") callbacks.onBlockReply?.(event.text);
  else if (event.type === "reasoning") callbacks.onReasoningStream?.(event.text);
  else if (event.type === "taken-back") callbacks.onTakeBack?.(event.text);
  else if (event.type === "start-over") callbacks.onStartOver?.();
  else if (event.type === "tool") callTool(callbacks, event.meta);
  else callbacks.onComplete?.({ assistantTexts: event.assistantTexts, toolMetas: event.toolMetas });
}

function callTool(callbacks: ReplyCallbacks, meta: ToolMeta): void {
  const { id, name, input } = meta;
  if (meta.status === "running") callbacks.onToolStart?.({ id, name, input });
  if (meta.status === "done") callbacks.onToolEnd?.({ id, name, result: meta.result });
  if (meta.status === "error") callbacks.onToolEnd?.({ id, name, result: meta.result, error: meta.error });
}
