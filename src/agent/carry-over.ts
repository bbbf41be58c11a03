/** What a session passes on to the next one: its last summary, and a digest of what was said after that. */
import {
  clean,
  joinLabels,
  origins,
  type EntryBody,
  type Label,
  type MessageEntry,
  type Origin,
} from "@pincer/sdk";
import { earlierTurns } from "../gate/labels/earlier-turns.ts";
import { labelOfBlock, labelOfMark, labelOfTurn, originsOf } from "../gate/labels/entry-label.ts";
import type { EndedSession } from "../storage/turns/turns.ts";
import { firstPart } from "../infra/cut-text.ts";
import { digestOf } from "./compaction/digest-summary.ts";
import { laterWords } from "./context/clean-start.ts";
import { withHandles } from "./context/handles.ts";
import { told } from "./context/opening.ts";

/** Nothing where nothing was said. It is made without a model: a session begins when somebody is waiting for an answer. Pure. */
export function carryOver({ session, mark, said }: Omit<EndedSession, "isAsked">): EntryBody | undefined {
  const { earlier, messages, label, madeOf, later } = said.some(isTypedByOwner)
    ? forOwner(mark, said)
    : asItIs(mark, said);
  const digest = digestOf(
    messages.map(({ message }) => message),
    mostDigestChars,
  );
  const summary = [firstPart(earlier, mostSummaryChars), digest].filter(Boolean).join("\n\n");
  if (summary === "") return undefined;
  const data = { sessionId: session.sessionId, summary, origins: originsOf(messages, madeOf), label };
  return { type: "event", name: "carried", data: { ...data, ...(later && { later }) } };
}

interface Carried {
  /** What there was before these messages. */
  earlier: string;
  messages: readonly MessageEntry[];
  label: Label;
  /** Kinds of the texts that `earlier` is made of. */
  madeOf: readonly Origin[];
  later?: string;
}

type Mark = EndedSession["mark"];

/** What a turn of the owner would see: their own words, and how much else there was. The numbers would be of this session. */
function forOwner(mark: Mark, said: readonly MessageEntry[]): Carried {
  const style = { tools: new Set<string>(), numbered: false };
  const messages = withHandles(said, earlierTurns(said, { all: true }).collapsed, style);
  const isOwn = mark !== undefined && !labelOfMark(mark, "owner").untrusted;
  return {
    earlier: isOwn ? textOfMark(mark) : mark ? laterWords(mark) : "",
    messages,
    label: labelOfTurn(messages, "owner", isOwn ? labelOfMark(mark, "owner") : clean),
    madeOf: isOwn ? originsOfMark(mark) : [],
  };
}

/** Where a program or somebody else has the conversation. */
function asItIs(mark: Mark, said: readonly MessageEntry[]): Carried {
  const later = mark && firstPart(laterWords(mark), mostSummaryChars);
  return {
    earlier: textOfMark(mark),
    messages: said,
    label: joinLabels([mark ? labelOfMark(mark, "owner") : clean, labelOfTurn(said, "owner")]),
    madeOf: mark ? originsOfMark(mark) : [],
    ...(later && { later }),
  };
}

const isTypedByOwner = ({ message }: MessageEntry): boolean =>
  message.role === "user" &&
  message.content.some(
    (block) => block.type === "text" && block.origin === "owner" && !labelOfBlock(block, "owner").untrusted,
  );

/** What nobody labelled may be anybody's. */
function originsOfMark(mark: NonNullable<Mark>): Origin[] {
  if (mark.type === "compaction") return mark.origins ?? ["summary"];
  if (mark.type === "anchor") return [mark.state?.["origin"] === "peer" ? "peer" : "system"];
  const given = mark.type === "event" ? mark.data["origins"] : undefined;
  return Array.isArray(given) ? origins.filter((origin) => given.includes(origin)) : ["summary"];
}

/** From session to session it must not grow. */
const mostDigestChars = 2000;
const mostSummaryChars = 6000;

function textOfMark(mark: Mark): string {
  if (mark?.type === "compaction") return mark.summary;
  if (mark?.type === "anchor") return told(mark.state ?? {});
  const summary = mark?.type === "event" ? mark.data["summary"] : "";
  return typeof summary === "string" ? summary : "";
}
