/**
 * Asks for approvals at the terminal: shows what a run wants, and reads the next typed line as the answer. Only an
 * offered letter, or numbers on a card, are a yes. Cards come one after the other; without a terminal it says how to
 * answer from elsewhere.
 */
import { asPincerError, type ApprovalScope, type ApprovalView, type Spoken } from "@pincer/sdk";
import type { Command } from "commander";
import type { AskRequest } from "../../app/ask.ts";
import { answeredWords, approvalWords, idOf, scopeChoices, type ShownCard } from "../approval-words.ts";
import { systemClock, type Clock } from "../../infra/clock.ts";
import { sayError } from "../../infra/failure.ts";
import type { CommandContext } from "../command.ts";
import { plainText } from "../plain-text.ts";
import { withApi } from "./with-api.ts";

/** With numbers: these of the card, once, and a no to the others. */
type Verdict = ApprovalScope | "no" | readonly number[];

/** Nobody reads a question in less: a line that comes sooner was typed before it was there. */
const readingMs = 250;

export interface ApprovalPrompt {
  onEvent: NonNullable<AskRequest["onEvent"]>;
  /** A line that was typed or pasted; false when no question is open, and it is not an answer. What is pasted is none. */
  take(line: Spoken): boolean;
  /** Ctrl-C is a no; false when no question is open. */
  refuse(): boolean;
  /** The person leaves without an answer: returns the ids of the open questions, and asks nothing more. */
  abandon(): string[];
  /** Says something else meanwhile, with the question out of the way. */
  aside(saying: () => void): void;
  /** Nothing is asked any more; resolves when what was answered is on its way. Safe to call twice. */
  close(): Promise<void>;
}

/** Where a line can be typed. */
export interface LineReader {
  /** Shows the question. What was typed before it is no answer to it. */
  open(question: string): void;
  /** Removes the question from its line before other output. */
  clear(): void;
  /** Shows it again, with what was typed behind it. */
  showAgain(): void;
  /** Safe to call twice. */
  close(): void;
}

export interface ApprovalPromptParts {
  say: CommandContext["say"];
  /** Says something on a line of its own. */
  note(text: string): void;
  /** Called for each event, with the question removed if the event prints something. */
  onEvent?: ApprovalPrompt["onEvent"];
  /** Undefined if nobody can be asked. */
  reader: LineReader | undefined;
  /** In words, also what went wrong. Never throws. */
  answer(id: string, verdict: Verdict): Promise<string>;
  clock?: Clock;
}

export function createApprovalPrompt(parts: ApprovalPromptParts): ApprovalPrompt {
  const { say, note, reader, clock = systemClock } = parts;
  const told = new Set<string>();
  const waiting: ShownCard[] = [];
  /** Of cards that have not been told whole. */
  const gathered = new Map<string, ApprovalView[]>();
  const answering = new Set<Promise<void>>();
  let open: ShownCard | undefined;
  let shownAt = 0;
  let isLeft = false;

  function hear(approval: ApprovalView): void {
    if (isLeft || approval.state !== "pending" || told.has(approval.id)) return;
    told.add(approval.id);
    const card = gather(approval);
    if (!card) return;
    const tool = [...new Set(card.map((each) => each.tool))].join(", ");
    if (!reader) return note(plainText(say("approvals.elsewhere", { id: idOf(card[0]), tool })));
    waiting.push(card);
    if (!open) showNext();
  }

  /** Undefined until the rest of its card has been told as well. */
  function gather(approval: ApprovalView): ShownCard | undefined {
    const { card } = approval;
    if (!card || card.open <= 1) return [approval];
    const found = [...(gathered.get(card.id) ?? []), approval];
    gathered.set(card.id, found);
    if (found.length < card.open) return undefined;
    gathered.delete(card.id);
    return asCard(found.toSorted((one, other) => (one.card?.number ?? 0) - (other.card?.number ?? 0)));
  }

  function showNext(): void {
    open = waiting.shift();
    if (!open) return reader?.close();
    show(open);
  }

  function show(card: ShownCard): void {
    const isJoint = card.length > 1;
    note(plainText(approvalWords(card, { say, now: clock.now(), others: waiting.flat() })));
    for (const { words } of scopeChoices(card, say)) note(plainText(`    ${words}`));
    if (isJoint) note(`    ${say("approvals.key.some")}`);
    note(`    ${say(isJoint ? "approvals.key.none" : "approvals.key.no")}`);
    shownAt = clock.monotonic();
    showQuestion(card);
  }

  const showQuestion = (card: ShownCard) =>
    reader?.open(say("approvals.question", { keys: lettersOf(card, say) }));

  function settle(card: ShownCard, verdict: Verdict): void {
    const [first, ...rest] = card;
    // One that is left of a card is answered alone: the others have been.
    const work = parts.answer(rest.length > 0 ? idOf(first) : first.id, verdict).then(
      (words) => aside(() => note(plainText(words))),
      () => {},
    );
    answering.add(work);
    void work.finally(() => answering.delete(work));
    showNext();
  }

  function aside(saying: () => void): void {
    if (open) reader?.clear();
    saying();
    if (open) reader?.showAgain();
  }

  return {
    aside,
    onEvent(event) {
      if (event.type === "approval-asked") hear(event.approval);
      if (event.type === "approval-answered") forget(event);
      dropWhere((approval) => isOver(approval, event));
      if (event.type === "tool-call-start") aside(() => parts.onEvent?.(event));
      else parts.onEvent?.(event);
    },
    take({ text, pasted = [] }) {
      if (!open) return false;
      const isTooSoon = clock.monotonic() - shownAt < readingMs;
      const verdict = isTooSoon || pasted.length > 0 ? undefined : readVerdict(text, open, say);
      if (verdict) settle(open, verdict);
      else {
        note(say("approvals.not-an-answer", { keys: lettersOf(open, say) }));
        showQuestion(open);
      }
      return true;
    },
    refuse() {
      if (!open) return false;
      reader?.clear();
      settle(open, "no");
      return true;
    },
    abandon() {
      if (!open) return [];
      const ids = [open, ...waiting].flat().map(({ id }) => id);
      end();
      return ids;
    },
    async close() {
      end();
      await Promise.all(answering);
    },
  };

  function end(): void {
    isLeft = true;
    waiting.length = 0;
    gathered.clear();
    if (open) reader?.clear();
    open = undefined;
    reader?.close();
  }

  /** Answered in another process. */
  function dropWhere(isGone: (approval: ApprovalView) => boolean, saying?: () => void): void {
    const left = waiting.map((card) => asCard(card.filter((each) => !isGone(each))));
    waiting.splice(0, waiting.length, ...left.filter((card) => card !== undefined));
    if (!open?.some(isGone)) return;
    reader?.clear();
    saying?.();
    const rest = asCard(open.filter((each) => !isGone(each)));
    open = rest;
    if (rest) show(rest);
    else showNext();
  }

  /** Answered elsewhere, or expired. */
  function forget({ id, state }: { id: string; state: ApprovalView["state"] }): void {
    dropWhere(
      (approval) => approval.id === id,
      () => note(say("approvals.was-answered", { id, state: say(`approvals.state.${state}`) })),
    );
  }
}

const asCard = ([first, ...rest]: readonly ApprovalView[]): ShownCard | undefined =>
  first && [first, ...rest];

/** Answers where the question is kept: in the running gateway, or in the home's own database. */
export function answerByApi(place: {
  program: Command;
  context: CommandContext;
}): ApprovalPromptParts["answer"] {
  const { say } = place.context;
  return async (id, verdict) => {
    try {
      const { approvals } = await withApi("approvals", place, ({ api }) =>
        verdict === "no"
          ? api.deny({ id })
          : typeof verdict === "string"
            ? api.approve({ id, scope: verdict })
            : api.approve({ id, only: [...verdict] }),
      );
      return answeredWords(approvals, say);
    } catch (thrown) {
      const { message, hint } = sayError(asPincerError(thrown), say);
      return [message, hint].filter(Boolean).join("\n");
    }
  };
}

/** The person who was asked leaves. */
export type LetGo = (ids: readonly string[]) => Promise<{
  /** Whether the turn goes on without them. */
  goesOn: boolean;
  words: string[];
}>;

/**
 * Questions stay open if a gateway holds the turn; otherwise nobody could continue it, and they are denied. Never
 * throws.
 */
export function releaseByApi(place: { program: Command; context: CommandContext }): LetGo {
  const { say } = place.context;
  return async (ids) => {
    try {
      return await withApi("approvals", place, async ({ api, where }) => {
        const words: string[] = [];
        for (const id of ids) {
          if (where === "gateway") words.push(say("approvals.still-waits", { id }));
          else words.push(answeredWords((await api.deny({ id })).approvals, say));
        }
        return { goesOn: where === "gateway", words };
      });
    } catch {
      // Answered meanwhile, or the home is out of reach: stopping the turn is enough of a no.
      return { goesOn: false, words: [] };
    }
  };
}

/** What happens only behind the gate, or when all calls of an answer have passed it. */
function isOver({ callId, tool }: ApprovalView, event: Parameters<ApprovalPrompt["onEvent"]>[0]): boolean {
  if (event.type === "text-delta" || event.type === "thinking-delta") return true;
  if (event.type !== "tool-call-start" || event.call.name !== tool) return false;
  // Asked about once more under the same id, it has a number behind it.
  return event.call.id === callId || event.call.id === callId.replace(/#\d+$/, "");
}

/** Undefined: it is no answer. An empty line is a no. */
function readVerdict(line: string, card: ShownCard, say: ApprovalPromptParts["say"]): Verdict | undefined {
  const word = line.trim().toLowerCase();
  if (/^(|n|no|否|不)$/.test(word)) return "no";
  const letter = /^(yes|是|好)$/.test(word) ? "y" : word;
  const scope = scopeChoices(card, say).find((choice) => choice.letter === letter)?.scope;
  return scope ?? numbersIn(word, card);
}

function numbersIn(word: string, card: ShownCard): readonly number[] | undefined {
  if (card.length < 2 || !/^\d{1,2}(?:[\s,]+\d{1,2})*$/.test(word)) return undefined;
  const numbers = word.split(/[\s,]+/).map(Number);
  return numbers.every((number) => numbersOf(card).includes(number)) ? numbers : undefined;
}

const numbersOf = (card: ShownCard): number[] => card.map(({ card: place }) => place?.number ?? 1);

const lettersOf = (card: ShownCard, say: ApprovalPromptParts["say"]): string =>
  [
    ...scopeChoices(card, say).map(({ letter }) => letter),
    ...(card.length > 1 ? numbersOf(card).map(String) : []),
    "n",
  ].join(", ");
