/** The model of a gateway: one request at a time is driven by the program; whatever else is asked is answered at once. */
import { textOf, type Model, type ModelEvent, type ModelRequest } from "@pincer/sdk";
import { scoutPrompt } from "../../../src/agent/scout/scout-words.ts";
import { plannerPrompt } from "../../../src/gate/grants/planner.ts";
import { labelOfMessage } from "../../../src/gate/labels/entry-label.ts";
import { writerPrompt } from "../../../src/gate/leaving/write-anew.ts";
import { answerOf, createDrivenModel, withoutMarks, type ModelAnswer } from "./driven-model.ts";
import { askModels } from "./played-planner.ts";
import type { LawModels } from "./port.ts";

export interface GatewayModel {
  model: Model;
  /** From now on the program drives the turn whose last words hold this. */
  expect(words: string): void;
  asked(): Promise<ModelRequest>;
  answer(answer: ModelAnswer): void;
  /** The process is about to end. */
  forget(): void;
  isScouting(): boolean;
}

export function createGatewayModel(models: LawModels): GatewayModel {
  let driven = createDrivenModel();
  let words = "";
  let scouts = 0;
  const ask = askModels(models);

  const isPlayed = ({ messages }: ModelRequest): boolean => {
    const said = messages.findLast(({ role }) => role === "user");
    return said !== undefined && textOf(said).includes(words);
  };

  async function* stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const { systemPrompt, messages, signal } = request;
    if (systemPrompt === scoutPrompt) return yield* scout(request);
    if (systemPrompt === plannerPrompt || systemPrompt === writerPrompt) {
      const text = messages.map(textOf).join("\n");
      const asking = [
        {
          role: "user" as const,
          content: [{ type: "text" as const, text }] as [{ type: "text"; text: string }],
        },
      ];
      return yield { type: "end", message: await ask({ systemPrompt, messages: asking }, signal) };
    }
    if (isPlayed(request)) return yield* driven.model.stream(request);
    // Other conversations, and what is asked beside them.
    yield { type: "end", message: answerOf("NO_REPLY") };
  }

  /** It reads what it is told to, one address after another. */
  async function* scout({ messages }: ModelRequest): AsyncGenerator<ModelEvent> {
    const said = messages.filter(({ role }) => role === "user");
    const done = messages.filter(({ role }) => role === "toolResult").length;
    if (done === 0) {
      const isTainted = said.some((message) => labelOfMessage(message, "owner").untrusted);
      toRead = [...models.scout(withoutMarks(said.map(textOf).join("\n")), isTainted)];
    }
    const url = toRead[done];
    scouts = url === undefined ? 0 : 1;
    if (url === undefined) return yield { type: "end", message: answerOf("This is what I found.") };
    const call = { type: "toolCall" as const, id: `scout${done}`, name: "web_fetch", arguments: { url } };
    yield { type: "tool-call", call };
    yield { type: "end", message: { ...answerOf(""), content: [call], stopReason: "toolUse" } };
  }
  let toRead: string[] = [];

  return {
    model: { ...driven.model, stream },
    expect: (given) => void (words = given),
    asked: () => driven.asked(),
    answer: (answer) => driven.answer(answer),
    forget: () => void (driven = createDrivenModel()),
    isScouting: () => scouts > 0,
  };
}
