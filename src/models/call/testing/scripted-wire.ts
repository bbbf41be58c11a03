/** A wire that does what the test wrote for it, request by request, and keeps what it was asked with. */
import { noUsage, type AssistantMessage, type Usage } from "@pincer/sdk";
import type { ModelFailure } from "../../model-failure.ts";
import type { ModelRecord } from "../../model-record.ts";
import type { RequestAuth, Wire, WireEvent, WireRequest } from "../../wire/wire.ts";

export type WireStep =
  | { text: string; usage?: Partial<Usage> }
  | { calls: Array<{ name: string; arguments: Record<string, unknown> }> }
  /** Perhaps after some words. */
  | { failure: ModelFailure; after?: string }
  /** Says this and then nothing more until it is aborted. */
  | { silentAfter: string };

export interface ScriptedWire extends Pick<Wire, "stream"> {
  requests: Array<{ record: ModelRecord; auth: RequestAuth; request: WireRequest }>;
}

/** After the last step it repeats that one. */
export function createScriptedWire(steps: readonly WireStep[]): ScriptedWire {
  const requests: ScriptedWire["requests"] = [];
  return {
    requests,
    async *stream(record, auth, request): AsyncGenerator<WireEvent> {
      requests.push({ record, auth, request });
      const step = steps[Math.min(requests.length, steps.length) - 1];
      if (!step) throw new Error("the script is empty");
      yield { type: "begun" };
      if ("text" in step) {
        yield { type: "text-delta", text: step.text };
        const usage = { ...noUsage(), ...step.usage };
        return yield { type: "end", message: said(record, step.text, { stopReason: "stop", usage }) };
      }
      if ("calls" in step) {
        const content = step.calls.map((call, index) => ({
          type: "toolCall" as const,
          id: `c${requests.length}-${index}`,
          ...call,
        }));
        for (const call of content) yield { type: "tool-call", call };
        return yield { type: "end", message: { ...said(record, "", { stopReason: "toolUse" }), content } };
      }
      if ("failure" in step) {
        if (step.after) yield { type: "text-delta", text: step.after };
        const { code: errorCode, message: errorMessage } = step.failure;
        const message = said(record, step.after ?? "", { stopReason: "error", errorCode, errorMessage });
        return yield { type: "end", message, failure: step.failure };
      }
      yield { type: "text-delta", text: step.silentAfter };
      await aborted(request.signal);
      yield { type: "end", message: said(record, step.silentAfter, { stopReason: "aborted" }) };
    },
  };
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

const said = (
  { provider, id, api }: ModelRecord,
  text: string,
  rest: Partial<AssistantMessage> & Pick<AssistantMessage, "stopReason">,
): AssistantMessage => ({
  role: "assistant",
  content: text ? [{ type: "text", text }] : [],
  provider,
  model: id,
  api,
  usage: noUsage(),
  ...rest,
});
