/** Streams in the format of chat completions, written by hand. */
export const sse = (...events: object[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

export const chat = (delta: object, finish: string | null = null): object => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 1,
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
});

export const calling = (...entries: object[]): object => chat({ tool_calls: entries });

export const done = "data: [DONE]\n\n";
