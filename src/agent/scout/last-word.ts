/** Lets a scout answer before its limits end it. Decided from what it has said, so that it is the same after a crash. */
import type { Message, Model } from "@pincer/sdk";
import { lastWords, scoutLimits } from "./scout-words.ts";

export const withLastWord = (model: Model): Model => ({
  ...model,
  stream: (request) =>
    model.stream(
      hasDoneEnough(request.messages)
        ? {
            ...request,
            messages: [...request.messages, { role: "user", content: [{ type: "text", text: lastWords }] }],
          }
        : request,
    ),
});

/** One round is left for a model that calls a tool all the same. */
function hasDoneEnough(messages: readonly Message[]): boolean {
  const said = messages.filter((message) => message.role === "assistant");
  const tokens = said.reduce((sum, { usage }) => sum + usage.total, 0);
  return said.length >= scoutLimits.steps - 1 || tokens >= scoutLimits.tokens;
}
