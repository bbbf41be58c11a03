/** A response as OpenAI's clients read it. */
import { callArguments, secondsOf, tokensOf } from "./answer-parts.ts";
import { failureBody, failureOfCode } from "./openai-failure.ts";
import type { RunAnswer } from "./openai-api.ts";
import { responseId } from "./response-id.ts";

export interface ResponseFacts {
  runId: string;
  createdAt: number;
  model: string;
  previous: string | null;
  instructions: string | null;
}

export type Item = Record<string, unknown> & { id: string };

/** One that has not come to anything yet. */
export const beginningOf = (facts: ResponseFacts): Record<string, unknown> => ({
  id: responseId(facts.runId),
  object: "response",
  created_at: facts.createdAt,
  status: "in_progress",
  error: null,
  incomplete_details: null,
  instructions: facts.instructions,
  max_output_tokens: null,
  model: facts.model,
  output: [],
  parallel_tool_calls: true,
  previous_response_id: facts.previous,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: null,
  text: { format: { type: "text" } },
  tool_choice: "auto",
  tools: [],
  top_p: null,
  truncation: "disabled",
  usage: null,
  user: null,
  metadata: {},
});

/** With what it came to; `output` where it was told piece by piece. */
export function responseOf(
  answer: RunAnswer,
  facts: Omit<ResponseFacts, "runId" | "createdAt">,
  output: readonly Item[] = outputOf(answer),
): Record<string, unknown> {
  const begun = beginningOf({ ...facts, runId: answer.runId, createdAt: secondsOf(answer.createdAt) });
  if (answer.end === "running") return begun;
  if (answer.error) {
    const { code, message } = failureBody(failureOfCode(answer.error.code, answer.error)).error;
    return { ...begun, status: "failed", error: { code, message } };
  }
  const isCut = answer.end === "length";
  return {
    ...begun,
    status: isCut ? "incomplete" : "completed",
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    output,
    usage: usageOf(answer),
  };
}

function outputOf(answer: RunAnswer): Item[] {
  const { runId, text, calls } = answer;
  const words = text === "" && calls.length > 0 ? [] : [messageItem(runId, text)];
  return [...words, ...callItems(answer)];
}

export const textPart = (text: string) => ({ type: "output_text", text, annotations: [], logprobs: [] });

export const messageItem = (runId: string, text: string): Item => ({
  id: `msg_${runId}`,
  type: "message",
  role: "assistant",
  status: "completed",
  content: [textPart(text)],
});

export const callItems = ({ runId, calls }: RunAnswer): Array<Item & { arguments: string; name: string }> =>
  calls.map((call, index) => ({
    id: `fc_${runId}_${index}`,
    type: "function_call",
    call_id: call.id,
    name: call.name,
    arguments: callArguments(call),
    status: "completed",
  }));

function usageOf({ usage }: RunAnswer): object {
  const { input, cached, output, total } = tokensOf(usage);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: total,
  };
}
