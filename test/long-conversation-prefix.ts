/** Watches whether each request begins with the one before it, byte for byte: what providers keep they find again only then. */
import { textOf, type Message } from "@pincer/sdk";
import { expect } from "vitest";
import type { SeenRequest } from "./long-conversation-model.ts";

export interface PrefixWatch {
  /** Requests for summaries stand for themselves. */
  see(request: SeenRequest): void;
  /** How often notes were taken and the session was summed up decides how often a beginning may have changed. */
  expectStable(session: { flushes: number; compactions: number; messages: number }): void;
  /** Of the last request of a turn, in tokens. */
  size(): number;
  counts: {
    same: number;
    summaries: number;
    jumps: number;
    questions: number;
    fitted: number;
    prompts: number;
  };
}

export function createPrefixWatch(): PrefixWatch {
  const counts = { same: 0, summaries: 0, jumps: 0, questions: 0, fitted: 0, prompts: 0 };
  const broken: string[] = [];
  let [flushes, isNoting, isSummedUp] = [0, false, false];
  let before: SeenRequest | undefined;

  return {
    counts,
    size: () => before?.tokens ?? 0,
    see(request) {
      if (request.kind === "summary") return void (isSummedUp = true);
      if (request.kind === "flush" && !isNoting) flushes++;
      isNoting = request.kind === "flush";
      if (isNoting) return;
      const last = before;
      before = request;
      if (!last) return;
      if (request.wire.tools !== last.wire.tools) broken.push("other tools");
      // A turn knows of the notes that were taken in an earlier one.
      if (request.systemPrompt !== last.systemPrompt && ++counts.prompts > flushes)
        broken.push("another prompt");

      const change = changeOf(last, request);
      if (isSummedUp && change !== "summaries") broken.push("a summary that is not shown");
      isSummedUp = false;
      if (change === "broken") broken.push(`another beginning: ${wordsOf(last)} -> ${wordsOf(request)}`);
      else counts[change]++;
    },
    expectStable(session) {
      expect(broken).toEqual([]);
      expect(flushes).toBe(session.flushes);
      expect(counts.summaries).toBe(session.compactions);
      expect(counts.questions).toBeLessThanOrEqual(session.compactions);
      expect(counts.fitted).toBeLessThanOrEqual(counts.same / 30);
      expect(counts.jumps).toBeLessThanOrEqual(session.messages / 24);
    },
  };
}

type Change = "same" | "summaries" | "jumps" | "questions" | "fitted" | "broken";

function changeOf(last: SeenRequest, request: SeenRequest): Change {
  const [then, now] = [frontOf(last), frontOf(request)];
  if (now.summary !== then.summary) return "summaries";
  // The window moves on by half its length; for want of room it begins wherever there is some.
  if (now.notice !== then.notice) return now.before >= then.before + leastJump ? "jumps" : "fitted";
  if (begins(request.wire.messages, last.wire.messages)) return "same";
  // While a turn goes on whose beginning was summed up, its question is shown besides; afterwards the summary alone has it.
  const question = then.summary === "" ? 0 : 1;
  const others = last.wire.messages.filter((_, index) => index !== question);
  if (last.messages[question]?.role === "user" && begins(request.wire.messages, others)) return "questions";
  // Where a question and what was found for it fill the window by themselves, they can only be shortened.
  return begins(request.messages.map(whichOf), last.messages.map(whichOf)) ? "fitted" : "broken";
}

const leastJump = 12;

/** What tells a message from others, however much of it is shown. */
const whichOf = (message: Message): string =>
  message.role === "toolResult" ? message.toolCallId : JSON.stringify(message).slice(0, 100);

const begins = (messages: readonly string[], beginning: readonly string[]): boolean =>
  beginning.every((text, index) => text === messages[index]);

/** What stands for the messages that are not shown. */
function frontOf({ messages }: SeenRequest): { summary: string; notice: string; before: number } {
  const find = (words: string) =>
    messages.slice(0, 2).find((message) => message.role === "user" && textOf(message).startsWith(words));
  const text = (message: Message | undefined) => (message ? textOf(message) : "");
  const notice = text(find("[Earlier messages of this session"));
  const before = Number(/before entry #(\d+)/.exec(notice)?.[1] ?? 0);
  return { summary: text(find("[What follows is a summary")), notice, before };
}

const wordsOf = ({ wire }: SeenRequest): string =>
  wire.messages.map((text) => `${text.length}:${text.slice(0, 60)}`).join(" | ");
