/** A chat completion that came as a whole, from a server that does not stream, as the events that it would have streamed. */

interface WholeAnswer {
  id?: string;
  model?: string;
  usage?: object;
  choices: Array<{
    finish_reason?: string | null;
    message: { tool_calls?: object[] } & Record<string, unknown>;
  }>;
}

/** Undefined for anything else: an error, a page, half of it. */
export function chatEventsOf(text: string): string | undefined {
  const answer = parse(text);
  const [choice] = answer?.choices ?? [];
  if (!answer || !choice) return undefined;
  const { tool_calls: calls = [], ...message } = choice.message;
  const delta = { ...message, ...(calls.length > 0 && { tool_calls: calls.map(numbered) }) };
  const head = { id: answer.id ?? "", object: "chat.completion.chunk", model: answer.model ?? "" };
  const events = [
    { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    {
      ...head,
      choices: [{ index: 0, delta: {}, finish_reason: choice.finish_reason ?? "stop" }],
      ...(answer.usage && { usage: answer.usage }),
    },
  ];
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`;
}

const numbered = (call: object, index: number) => ({ ...call, index });

function parse(text: string): WholeAnswer | undefined {
  try {
    const value = JSON.parse(text) as WholeAnswer | null;
    const isAnswer = Array.isArray(value?.choices) && typeof value.choices[0]?.message === "object";
    return isAnswer && value?.choices[0]?.message ? value : undefined;
  } catch {
    // Not JSON: no answer.
    return undefined;
  }
}
