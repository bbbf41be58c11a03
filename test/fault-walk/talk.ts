/** Who wrote what in a walk, and what they got. Everybody writes once, so that each line belongs to one message. */
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { createSay } from "../../src/infra/texts.ts";
import type { WalkPlace } from "./walk-home.ts";

export interface Written {
  id: string;
  person: string;
  /** What the answer holds; undefined where any line will do. */
  mark: string | undefined;
  at: number;
}

export interface Talk {
  written: Written[];
  write(person: string, text: string, mark?: string): Written;
  /** Every text that the person has got. */
  got(person: string): string[];
  /** How often it was answered, without repeats that say so. */
  answers(message: Written): number;
  isAnswered(message: Written): boolean;
  /** The person got some other line: that it could not be taken, or answered. */
  isTold(message: Written): boolean;
  /** Answers whether the condition held in time. */
  until(condition: () => boolean | Promise<boolean>, ms: number): Promise<boolean>;
}

const repeatMark = createSay("en")("delivery.repeat-mark");
const everyMs = 25;

export const echoOf = (mark: string): string => `tool:tools_echo {"text":"${mark}"}`;

export function openTalk({ inbox, outbox }: WalkPlace): Talk {
  const written: Written[] = [];

  function got(person: string): string[] {
    if (!existsSync(outbox)) return [];
    const lines = readFileSync(outbox, "utf8").split("\n").slice(0, -1);
    const sent = lines.map((line) => JSON.parse(line) as { id?: string; to?: { id: string }; text?: string });
    return sent.filter(({ to }) => to?.id === person).map(({ text }) => text ?? "");
  }
  const isAnswer = (text: string, { mark }: Written) => mark === undefined || text.includes(mark);
  const answers = (message: Written) =>
    got(message.person).filter((text) => isAnswer(text, message) && !text.startsWith(repeatMark)).length;

  return {
    written,
    write(person, text, mark) {
      const message = { id: `message-${randomUUID()}`, person, mark, at: Date.now() };
      written.push(message);
      appendFileSync(inbox, `${JSON.stringify({ id: message.id, from: person, text })}\n`);
      return message;
    },
    got,
    answers,
    isAnswered: (message) => got(message.person).some((text) => isAnswer(text, message)),
    isTold: (message) => got(message.person).length > 0,
    async until(condition, ms) {
      const end = Date.now() + ms;
      for (;;) {
        if (await condition()) return true;
        if (Date.now() >= end) return false;
        await pause(everyMs);
      }
    },
  };
}
