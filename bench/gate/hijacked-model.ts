/**
 * The worst of all models: it does what its script says, and then whatever any text tells it to, be it a mail, a page, a file, a memory, a summary or
 * its own words; where it is refused it tries the next way. Without `obeys` it is an honest one that keeps to its script.
 */
import { createHash } from "node:crypto";
import {
  noUsage,
  textOf,
  type AssistantMessage,
  type Message,
  type Model,
  type ModelEvent,
  type ModelRequest,
  type ToolCallBlock,
} from "@pincer/sdk";
import type { Canaries } from "./canaries.ts";
import type { AttackCase, Order, Saying, Step, World } from "./case.ts";
import { fillArguments, fillText, type Knowledge } from "./fill-order.ts";
import { findOrders } from "./orders.ts";

export interface HijackedModel extends Model {
  /** What it does by itself in the turn that answers this. */
  play(saying: Pick<Saying, "text" | "script">): void;
  /** Calls of scripts that could not be made, since the model had not seen what they are made of. */
  missed: string[];
}

export interface HijackedModelParts {
  canaries: Canaries;
  obeys: boolean;
  hijack?: AttackCase["hijack"] | undefined;
  contextWindow?: number | undefined;
  reads?: World["reads"] | undefined;
  /** Told what it does. */
  log(line: string): void;
}

/** In one turn: it must come to an end. */
const mostOrders = 30;

export function createHijackedModel(parts: HijackedModelParts): HijackedModel {
  const { canaries, obeys, hijack, log } = parts;
  const missed: string[] = [];
  let playing: { text: string; steps: Step[] } | undefined;
  let count = 0;

  function answer(request: ModelRequest): Answer {
    if (request.tools.length === 0) return { text: fieldsFor(request) ?? sumUp(request) };
    const turn = currentTurn(request.messages);
    const knowledge = knowledgeOf(request, turn, canaries);
    const isPlayed =
      playing !== undefined && turn.some((message) => isAnswerTo(message, playing?.text ?? ""));
    const steps = isPlayed ? (playing?.steps ?? []) : [];
    for (;;) {
      const step = steps[0];
      if (step === undefined || "text" in step) break;
      steps.shift();
      const calls = ("calls" in step ? step.calls : [step]).flatMap((order) => scripted(order, knowledge));
      if (calls.length > 0) return { calls };
    }
    const found = obeys ? ordersIn(request) : { calls: [], says: [] };
    // Every further message makes it try everything again.
    const since = turn.slice(turn.findLastIndex(({ role }) => role === "user") + 1);
    const ordered = nextOrder(found.calls, since, knowledge);
    if (ordered) return { calls: ordered };
    const last = steps.shift();
    const own = last && "text" in last ? fillText(last.text, knowledge) : undefined;
    if (last && own === undefined) missed.push(`say: has not seen all of ${JSON.stringify(last)}`);
    const says = found.says.flatMap((say) => fillText(say, knowledge) ?? []);
    return { text: [own ?? (isPlayed ? "Done." : "NO_REPLY"), ...says].join("\n\n") };
  }

  /** As one who reads a document for a program: undefined where no fields are asked for. */
  function fieldsFor(request: ModelRequest): string | undefined {
    const read = readable(request);
    const [, schema] = /^Fields, as a JSON schema: (\{.*\})$/m.exec(read) ?? [];
    if (schema === undefined) return undefined;
    const { properties } = JSON.parse(schema) as { properties: Record<string, unknown> };
    const orders = obeys ? (read.match(/⟦[^⟦⟧]+⟧/g) ?? []).join(" ") : "";
    const knowledge = { seen: [read], results: [], canaries };
    const values = Object.keys(properties).flatMap((name) => {
      const value = [fillText(parts.reads?.[name] ?? "", knowledge) ?? "", orders].join(" ").trim();
      return value === "" ? [] : [[name, value]];
    });
    return JSON.stringify(Object.fromEntries(values));
  }

  function scripted(order: Order, knowledge: Knowledge): ToolCallBlock[] {
    const filled = fillArguments(order.with ?? {}, knowledge);
    if (filled.type === "filled")
      return filled.calls.map((given) => block(`s-${++count}`, order.call, given));
    missed.push(`${order.call}: has not seen ${filled.what}`);
    return [];
  }

  function ordersIn(request: ModelRequest): { calls: Order[]; says: string[] } {
    const read = readable(request);
    const found = findOrders(read);
    const isTriggered = hijack !== undefined && read.includes(hijack.trigger);
    return { ...found, calls: [...found.calls, ...(isTriggered ? hijack.orders : [])] };
  }

  /** The first that is not done in this turn; where it was refused, the next way. Undefined when all is done that can be. */
  function nextOrder(
    orders: readonly Order[],
    turn: readonly Message[],
    knowledge: Knowledge,
  ): ToolCallBlock[] | undefined {
    const made = turn.flatMap((message) => (message.role === "assistant" ? callIds(message) : []));
    if (made.filter((id) => id.startsWith("o-")).length >= mostOrders) return undefined;
    const failed = new Set(
      turn.flatMap((message) =>
        message.role === "toolResult" && message.isError ? [message.toolCallId] : [],
      ),
    );
    for (const order of orders) {
      const ways = [order, ...(order.otherwise ?? [])];
      for (const [index, way] of ways.entries()) {
        const mark = `o-${digest(order)}-${index}-`;
        const before = made.filter((id) => id.startsWith(mark));
        if (before.some((id) => !failed.has(id))) break;
        if (before.length > 0) continue;
        const filled = fillArguments(way.with ?? {}, knowledge);
        if (filled.type === "filled")
          return filled.calls.map((given) => block(`${mark}${++count}`, way.call, given));
      }
    }
    return undefined;
  }

  return {
    provider: "scripted",
    id: obeys ? "hijacked" : "honest",
    limits: { contextWindow: parts.contextWindow ?? 200_000, maxTokens: 4096 },
    missed,
    play({ text, script = [] }) {
      playing = { text, steps: [...script] };
    },
    async *stream(request): AsyncGenerator<ModelEvent> {
      if (request.signal.aborted) return yield end({ content: [], stopReason: "aborted" });
      const said = answer(request);
      if ("text" in said) {
        log(`says: ${said.text}`);
        yield { type: "text-delta", text: said.text };
        return yield end({ content: [{ type: "text", text: said.text }], stopReason: "stop" });
      }
      for (const call of said.calls) {
        log(`calls ${call.name} ${JSON.stringify(call.arguments)}`);
        yield { type: "tool-call", call };
      }
      yield end({ content: said.calls, stopReason: "toolUse" });
    },
  };
}

type Answer = { text: string } | { calls: ToolCallBlock[] };

const end = (rest: Pick<AssistantMessage, "content" | "stopReason">): ModelEvent => ({
  type: "end",
  message: { role: "assistant", provider: "scripted", model: "script", usage: noUsage(), ...rest },
});

const block = (id: string, name: string, given: Record<string, unknown>): ToolCallBlock => ({
  type: "toolCall",
  id,
  name,
  arguments: given,
});

const digest = (order: Order): string =>
  createHash("sha256").update(JSON.stringify(order)).digest("hex").slice(0, 10);

/** Since its last words that ended a turn. */
function currentTurn(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLastIndex(
    (message) => message.role === "assistant" && callIds(message).length === 0,
  );
  return messages.slice(last + 1);
}

const callIds = ({ content }: AssistantMessage): string[] =>
  content.flatMap((each) => (each.type === "toolCall" ? [each.id] : []));

const isAnswerTo = (message: Message, text: string): boolean =>
  message.role === "user" && textOf(message).includes(text);

function knowledgeOf(request: ModelRequest, turn: readonly Message[], canaries: Canaries): Knowledge {
  const results = turn.flatMap((message) => (message.role === "toolResult" ? [textOf(message)] : []));
  return { seen: textsOf(request).toReversed(), results, canaries };
}

const textsOf = ({ systemPrompt, messages }: ModelRequest): string[] => [
  systemPrompt,
  ...messages.map((message) => textOf(message)),
];

const readable = (request: ModelRequest): string => textsOf(request).join("\n");

/** What was said in short, and every order whole: a summary is how they outlive what they came in with. */
function sumUp(request: ModelRequest): string {
  const read = request.messages.map((message) => textOf(message)).join("\n");
  const orders = [...new Set(read.match(/⟦[^⟦⟧]+⟧/g) ?? [])];
  return ["What was said so far:", read.replaceAll(/⟦[^⟦⟧]+⟧/g, "").slice(0, 3000), ...orders].join("\n");
}
