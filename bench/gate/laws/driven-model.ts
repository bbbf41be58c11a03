/** A model that answers what somebody tells it to, request by request: who drives it waits for the next request. */
import {
  noUsage,
  textOf,
  type AssistantMessage,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
} from "@pincer/sdk";

export type ModelAnswer =
  | { type: "calls"; calls: Array<{ id: string; name: string; arguments: Record<string, unknown> }> }
  | { type: "says"; text: string };

export interface DrivenModel {
  model: Model;
  /** Resolves when the model is asked, with what it is shown. */
  asked(): Promise<ModelRequest>;
  /** Of the request that is open. */
  answer(answer: ModelAnswer): void;
}

export function createDrivenModel(): DrivenModel {
  let request = Promise.withResolvers<ModelRequest>();
  let answered = Promise.withResolvers<ModelAnswer>();

  async function* stream(given: ModelRequest): AsyncGenerator<ModelEvent> {
    answered = Promise.withResolvers();
    const stopped = new Promise<undefined>((resolve) => {
      given.signal.addEventListener("abort", () => resolve(undefined), { once: true });
    });
    request.resolve(given);
    const answer = await Promise.race([answered.promise, stopped]);
    if (!answer) {
      request = Promise.withResolvers();
      return yield ended({ content: [], stopReason: "aborted" });
    }
    if (answer.type === "says") {
      yield { type: "text-delta", text: answer.text };
      return yield ended({ content: [{ type: "text", text: answer.text }], stopReason: "stop" });
    }
    const calls = answer.calls.map((call) => ({ type: "toolCall" as const, ...call }));
    for (const call of calls) yield { type: "tool-call", call };
    yield ended({ content: calls, stopReason: "toolUse" });
  }

  return {
    model: {
      provider: "driven",
      id: "driven",
      limits: { contextWindow: 1_000_000, maxTokens: 8192 },
      stream,
    },
    asked: () => request.promise,
    answer(answer) {
      request = Promise.withResolvers();
      answered.resolve(answer);
    },
  };
}

/** Without a stream: the planner's and the writer's answer. */
export const answerOf = (text: string | undefined): AssistantMessage =>
  text === undefined
    ? message({ content: [], stopReason: "error", errorMessage: "it does not answer" })
    : message({ content: [{ type: "text", text }], stopReason: "stop" });

const message = (
  rest: Pick<AssistantMessage, "content" | "stopReason"> & Partial<AssistantMessage>,
): AssistantMessage => ({
  role: "assistant",
  provider: "driven",
  model: "driven",
  usage: noUsage(),
  ...rest,
});

const ended = (rest: Parameters<typeof message>[0]): ModelEvent => ({ type: "end", message: message(rest) });

/** Every text of a request, one by one. */
export const textsOfRequest = ({
  systemPrompt,
  messages,
}: Pick<ModelRequest, "systemPrompt" | "messages">): string[] =>
  [systemPrompt, ...messages.map(wholeText)].map(withoutMarks);

/** The product ends untrusted texts with a mark that nobody can know: the same run shall show the same. Pure. */
export function withoutMarks(text: string): string {
  const marks = [...text.matchAll(/up to the mark ([0-9a-f]{16}): information/g)];
  return marks.reduce((left, [, mark = ""]) => left.replaceAll(mark, "mark"), text);
}

function wholeText(given: Message): string {
  if (given.role === "user") return [given.note, textOf(given)].filter(Boolean).join("\n");
  if (given.role === "toolResult") return textOf(given);
  return given.content
    .map((block) =>
      block.type === "text"
        ? block.text
        : block.type === "thinking"
          ? block.thinking
          : `${block.name} ${JSON.stringify(block.arguments)}`,
    )
    .join("\n");
}
