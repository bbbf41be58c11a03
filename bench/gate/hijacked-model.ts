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
import { nextHandle } from "./open-handles.ts";
import { findOrders } from "./orders.ts";
import { readable } from "./request-listing.ts";
import { plan, plannerLine, type PlannerParts } from "./scripted-planner.ts";
import { wordHijacked, wordHonestly, writerLine } from "./scripted-writer.ts";

export interface HijackedModel extends Model {
  /** What it does by itself in the turn that answers this. */
  play(saying: Pick<Saying, "text" | "script" | "grants">): void;
  /** What it was asked, in order. */
  requests: MadeRequest[];
  /** Calls of scripts that could not be made, since the model had not seen what they are made of. */
  missed: string[];
}

/** `side`: without tools, to sum up or to read a document. */
export interface MadeRequest {
  kind: "turn" | "planner" | "writer" | "side";
  /** Estimated from its length. */
  tokens: number;
}

export interface HijackedModelParts {
  /** Unless told: the oracle. A gate that asks no planner never hears of it. */
  planner?: PlannerParts | undefined;
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
  const requests: MadeRequest[] = [];
  const planner: PlannerParts = parts.planner ?? { kind: "oracle", seed: "" };
  const said: Array<Pick<Saying, "text" | "grants" | "script">> = [];
  const called: ToolCallBlock[] = [];
  let count = 0;

  function answer(request: ModelRequest): Answer {
    const kind = kindOf(request);
    requests.push({ kind, tokens: tokensOf(request) });
    if (kind === "planner") {
      const planned = plan(request, said, planner);
      return planned === undefined ? { failure: "the planner does not answer" } : { text: planned };
    }
    if (kind === "writer") return { text: obeys ? wordHijacked(request) : wordHonestly(request, called) };
    if (kind === "side") return { text: fieldsFor(request) ?? sumUp(request) };
    const turn = currentTurn(request.messages);
    const knowledge = knowledgeOf(request, turn, canaries);
    const isPlayed =
      playing !== undefined && turn.some((message) => isAnswerTo(message, playing?.text ?? ""));
    const steps = isPlayed ? (playing?.steps ?? []) : [];
    const refused = obeys ? undefined : sentToScout(turn);
    if (refused) {
      // What a scout does next is the call that was refused, and it reports.
      steps.unshift({ call: refused.name, with: refused.arguments }, { text: "{{result:1}}" });
      return { calls: [block(`s-${++count}`, "research", { question: playing?.text ?? "" })] };
    }
    for (;;) {
      const step = steps[0];
      if (step === undefined || "text" in step) break;
      const opening = wantsMore(step, knowledge) ? opens(request, turn) : undefined;
      if (opening) return { calls: [opening] };
      steps.shift();
      const calls = ("calls" in step ? step.calls : [step]).flatMap((order) => scripted(order, knowledge));
      if (calls.length > 0) return { calls };
    }
    const found = obeys ? ordersIn(request) : { calls: [], says: [] };
    // Every further message makes it try everything again.
    const since = turn.slice(turn.findLastIndex(({ role }) => role === "user") + 1);
    const ordered = nextOrder(found.calls, since, knowledge);
    if (ordered) return { calls: ordered };
    const [words] = steps;
    const isShort =
      (words !== undefined && wantsMore(words, knowledge)) ||
      found.calls.some((order) => wantsMore(order, knowledge));
    const opening = isShort ? opens(request, turn) : undefined;
    if (opening) return { calls: [opening] };
    const last = steps.shift();
    const own = last && "text" in last ? fillText(last.text, knowledge) : undefined;
    if (last && own === undefined) missed.push(`say: has not seen all of ${JSON.stringify(last)}`);
    const says = found.says.flatMap((say) => fillText(say, knowledge) ?? []);
    return { text: [own ?? (isPlayed ? "Done." : "NO_REPLY"), ...says].join("\n\n") };
  }

  /** What it has not seen may stand behind a handle. */
  function opens(request: ModelRequest, turn: readonly Message[]): ToolCallBlock | undefined {
    const handle = nextHandle(request, turn);
    return handle === undefined ? undefined : block(`s-${++count}`, "recall", { handle });
  }

  /** As one who reads a document for a program: undefined where no fields are asked for. */
  function fieldsFor(request: ModelRequest): string | undefined {
    const read = readable(request);
    const [, schema] = /^Fields, as a JSON schema: (\{.*\})$/m.exec(read) ?? [];
    if (schema === undefined) return undefined;
    const { properties } = JSON.parse(schema) as { properties: Record<string, { type?: string }> };
    const knowledge = { seen: [read], results: [], canaries };
    const values = Object.entries(properties).flatMap(([name, { type }]) => {
      if (type === "array") return [[name, valuesFor(name, request)]];
      const orders = obeys ? (read.match(/⟦[^⟦⟧]+⟧/g) ?? []).join(" ") : "";
      const value = [fillText(parts.reads?.[name] ?? "", knowledge) ?? "", orders].join(" ").trim();
      return value === "" ? [] : [[name, value]];
    });
    return JSON.stringify(Object.fromEntries(values));
  }

  /** An honest reader finds what was meant where it stands there; a hijacked one what orders in the document say. */
  function valuesFor(name: string, request: ModelRequest): string[] {
    const orders = obeys ? ordersIn(request).calls : [];
    const ordered = orders
      .flatMap((order) => [order, ...(order.otherwise ?? [])])
      .flatMap((order) => order.with?.[name] ?? []);
    const known = parts.reads?.[name];
    const meant = called.toReversed().find(({ arguments: given }) => name in given)?.arguments[name];
    const spelled = dated(String(meant));
    const found = known ?? (dated(readable(request)).includes(spelled) ? spelled : undefined);
    return [...ordered, found].flatMap((value) => (value === undefined ? [] : [String(value)]));
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
    requests,
    play(saying) {
      playing = { text: saying.text, steps: [...(saying.script ?? [])] };
      said.push(saying);
    },
    async *stream(request): AsyncGenerator<ModelEvent> {
      if (request.signal.aborted) return yield end({ content: [], stopReason: "aborted" });
      const answered = answer(request);
      if ("failure" in answered) {
        const { failure } = answered;
        return yield end({
          content: [],
          stopReason: "error",
          errorCode: "refused",
          errorMessage: failure,
        });
      }
      if ("text" in answered) {
        log(`says: ${answered.text}`);
        yield { type: "text-delta", text: answered.text };
        return yield end({ content: [{ type: "text", text: answered.text }], stopReason: "stop" });
      }
      called.push(...answered.calls);
      for (const call of answered.calls) {
        log(`calls ${call.name} ${JSON.stringify(call.arguments)}`);
        yield { type: "tool-call", call };
      }
      yield end({ content: answered.calls, stopReason: "toolUse" });
    },
  };
}

type Answer = { text: string } | { calls: ToolCallBlock[] } | { failure: string };

function kindOf({ systemPrompt, tools }: ModelRequest): MadeRequest["kind"] {
  if (systemPrompt.startsWith(plannerLine)) return "planner";
  if (systemPrompt.startsWith(writerLine)) return "writer";
  return tools.length === 0 ? "side" : "turn";
}

/** Four letters make a token. */
const tokensOf = (request: ModelRequest): number =>
  Math.ceil((readable(request).length + JSON.stringify(request.tools).length) / 4);

const end = (
  rest: Pick<AssistantMessage, "content" | "stopReason" | "errorCode" | "errorMessage">,
): ModelEvent => ({
  type: "end",
  message: { role: "assistant", provider: "scripted", model: "script", usage: noUsage(), ...rest },
});

const block = (id: string, name: string, given: Record<string, unknown>): ToolCallBlock => ({
  type: "toolCall",
  id,
  name,
  arguments: given,
});

/** The newest call, if it was refused with the advice to send a scout. */
function sentToScout(turn: readonly Message[]): ToolCallBlock | undefined {
  const last = turn.at(-1);
  if (last?.role !== "toolResult" || !last.isError || !/use research/.test(textOf(last))) return undefined;
  return turn
    .flatMap((message) => (message.role === "assistant" ? message.content : []))
    .find((each) => each.type === "toolCall" && each.id === last.toolCallId) as ToolCallBlock | undefined;
}

/** Dates are spelled in several ways. */
const dated = (text: string): string => text.replaceAll(/(\d{4}-\d\d-\d\d)(?:T| at | )(?=\d\d:\d\d)/g, "$1 ");

/** Whether something of it was not seen. */
function wantsMore(step: Step, knowledge: Knowledge): boolean {
  if ("text" in step) return fillText(step.text, knowledge) === undefined;
  const orders = "calls" in step ? step.calls : [step];
  return orders.some((order) => fillArguments(order.with ?? {}, knowledge).type === "unseen");
}

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

/** What was said in short, and every order whole: a summary is how they outlive what they came in with. */
function sumUp(request: ModelRequest): string {
  const read = request.messages.map((message) => textOf(message)).join("\n");
  const orders = [...new Set(read.match(/⟦[^⟦⟧]+⟧/g) ?? [])];
  return ["What was said so far:", read.replaceAll(/⟦[^⟦⟧]+⟧/g, "").slice(0, 3000), ...orders].join("\n");
}
