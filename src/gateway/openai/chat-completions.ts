/** `POST /v1/chat/completions`, in one piece and as a stream. */
import type { AdmittedCall, HttpReply } from "../http/http-route.ts";
import { callArguments, secondsOf, tokensOf } from "./answer-parts.ts";
import { readChatRequest } from "./chat-request.ts";
import { createGrowingText } from "./growing-text.ts";
import { asOpenAiFailure, failureBody } from "./openai-failure.ts";
import type { AskedRun, RunAnswer } from "./openai-api.ts";
import { inStream, openLateStream, runHeaders, waitForRun, type WaitParts } from "./wait-for-run.ts";

export async function answerChat(parts: WaitParts, call: AdmittedCall, reply: HttpReply): Promise<void> {
  const { api } = parts;
  const asked = await readChatRequest(await call.json(), call, api.keepPicture);
  const { question } = asked;
  const run = await api.ask(call.caller, question).catch((error: unknown) => {
    throw asOpenAiFailure(error, question.model);
  });
  const waiting = { call, run, hasKey: question.idempotencyKey !== undefined };
  if (asked.stream) return streamChat(parts, { ...waiting, ...asked }, reply);
  const answer = await waitForRun(parts, waiting);
  reply.json(200, completionOf(answer, question.model), runHeaders(run));
}

interface ChatStream {
  call: AdmittedCall;
  run: AskedRun;
  hasKey: boolean;
  question: { model: string };
  includeUsage: boolean;
}

async function streamChat(parts: WaitParts, chat: ChatStream, reply: HttpReply): Promise<void> {
  const { run, question, includeUsage } = chat;
  const chunk = {
    id: `chatcmpl-${run.runId}`,
    object: "chat.completion.chunk",
    created: Math.floor(parts.clock.now() / 1000),
    model: question.model,
    ...(includeUsage && { usage: null }),
  };
  const choice = (delta: object, finish: string | null = null) => ({
    ...chunk,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  });
  const stream = openLateStream(parts, reply, runHeaders(run), (opened) => {
    opened.send(JSON.stringify(choice({ role: "assistant", content: "", refusal: null })));
  });
  const text = createGrowingText();
  const tell = (content: string) => {
    if (content !== "") stream.send(choice({ content }));
  };
  await inStream(
    stream,
    async () => {
      const answer = await waitForRun(parts, chat, (event) => tell(text.hear(event)));
      tell(text.finish(answer.text));
      if (answer.calls.length > 0) {
        const calls = toolCalls(answer).map((each, index) => ({ index, ...each }));
        stream.send(choice({ tool_calls: calls }));
      }
      stream.send(choice({}, finishOf(answer)));
      if (includeUsage) stream.send({ ...chunk, choices: [], usage: usageOf(answer) });
      stream.send("[DONE]");
    },
    (failure) => stream.send(failureBody(failure)),
  );
}

function completionOf(answer: RunAnswer, model: string): object {
  const { text, calls } = answer;
  return {
    id: `chatcmpl-${answer.runId}`,
    object: "chat.completion",
    created: secondsOf(answer.createdAt),
    model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text === "" && calls.length > 0 ? null : text,
          refusal: null,
          ...(calls.length > 0 && { tool_calls: toolCalls(answer) }),
        },
        logprobs: null,
        finish_reason: finishOf(answer),
      },
    ],
    usage: usageOf(answer),
  };
}

const finishOf = ({ end }: RunAnswer): string => (end === "running" ? "stop" : end);

const toolCalls = ({ calls }: RunAnswer) =>
  calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: callArguments(call) },
  }));

function usageOf({ usage }: RunAnswer): object {
  const { input, cached, output, total } = tokensOf(usage);
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total,
    prompt_tokens_details: { cached_tokens: cached },
  };
}
