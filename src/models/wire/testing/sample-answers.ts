/** Made-up answers of two words, in the formats that most models speak. */

const events = (...list: Array<Record<string, unknown>>): string =>
  list
    .map(
      (event) =>
        `${event["type"] ? `event: ${String(event["type"])}\n` : ""}data: ${JSON.stringify(event)}\n\n`,
    )
    .join("");

const chunk = (choices: object[], rest: object = {}) => ({
  id: "r",
  object: "chat.completion.chunk",
  created: 1,
  model: "none",
  choices,
  ...rest,
});

const words = ["Very ", "well."];
const usage = { input_tokens: 2, output_tokens: 2, total_tokens: 4 };
const part = { type: "output_text", text: words.join(""), annotations: [] };
const item = { type: "message", id: "i", role: "assistant" };

/** Undefined for a format that has none here. */
export const sampleAnswers: Readonly<Record<string, string | undefined>> = {
  "openai-completions": `${events(
    ...words.map((content) => chunk([{ index: 0, delta: { content }, finish_reason: null }])),
    chunk([{ index: 0, delta: {}, finish_reason: "stop" }]),
    chunk([], { usage: { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 } }),
  )}data: [DONE]\n\n`,
  "anthropic-messages": events(
    {
      type: "message_start",
      message: { id: "r", type: "message", role: "assistant", content: [], model: "none", usage },
    },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    ...words.map((text) => ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
    { type: "message_stop" },
  ),
  "openai-responses": events(
    { type: "response.created", response: { id: "r" } },
    { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
    {
      type: "response.content_part.added",
      output_index: 0,
      content_index: 0,
      part: { ...part, text: "" },
    },
    ...words.map((delta) => ({
      type: "response.output_text.delta",
      output_index: 0,
      content_index: 0,
      delta,
    })),
    { type: "response.output_item.done", output_index: 0, item: { ...item, content: [part] } },
    { type: "response.completed", response: { id: "r", status: "completed", usage } },
  ),
};
