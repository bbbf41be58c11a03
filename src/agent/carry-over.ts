/** What a session passes on to the next one: its last summary, and a digest of what was said after that. */
import { origins, type EntryBody, type Origin } from "@pincer/sdk";
import { originOfHandoff, originsOf } from "../policy/provenance/read-spans.ts";
import type { EndedSession } from "../storage/turns/turns.ts";
import { firstPart } from "../infra/cut-text.ts";
import { digestOf } from "./compaction/digest-summary.ts";
import { told } from "./context/opening.ts";

/** Nothing where nothing was said. It is made without a model: a session begins when somebody is waiting for an answer. Pure. */
export function carryOver({ session, mark, said }: Omit<EndedSession, "isAsked">): EntryBody | undefined {
  const messages = said.map(({ message }) => message);
  const summary = [earlierOf(mark), digestOf(messages, mostDigestChars)].filter(Boolean).join("\n\n");
  if (summary === "") return undefined;
  const madeOf = originsOf(
    said,
    mark && (mark.type === "compaction" ? (mark.origins ?? ["summary"]) : carriedOrigins(mark)),
  );
  return { type: "event", name: "carried", data: { sessionId: session.sessionId, summary, origins: madeOf } };
}

/** What nobody labelled may be anybody's. */
function carriedOrigins(mark: NonNullable<EndedSession["mark"]>): Origin[] {
  const given =
    mark.type === "event"
      ? mark.data["origins"]
      : mark.type === "anchor"
        ? [originOfHandoff(mark)]
        : undefined;
  return Array.isArray(given) ? origins.filter((origin) => given.includes(origin)) : ["summary"];
}

const mostDigestChars = 2000;
const mostSummaryChars = 6000;

function earlierOf(mark: EndedSession["mark"]): string {
  if (mark?.type === "compaction") return shortened(mark.summary);
  if (mark?.type === "anchor") return shortened(told(mark.state ?? {}));
  const summary = mark?.type === "event" ? mark.data["summary"] : "";
  return typeof summary === "string" ? shortened(summary) : "";
}

/** From session to session it must not grow. */
const shortened = (text: string): string => firstPart(text, mostSummaryChars);
