/** The stored history of a session as text: the same in a chat and at a terminal. */
import type { HandoffView, TapeInfoView, TapeMarkView, TapeSearchView } from "@pincer/sdk";
import { formatCount } from "./format-amounts.ts";
import type { Say } from "./texts.ts";

export function tapeInfoWords(info: TapeInfoView, say: Say): string {
  const { sessionKey, sessionId, since, shown, lastMark } = info;
  const numbers = {
    entries: formatCount(info.entries),
    messages: formatCount(info.messages),
    anchors: formatCount(info.anchors),
    summaries: formatCount(info.summaries),
  };
  return [
    say("tape.info.session", { sessionKey, sessionId, since: moment(since) }),
    say("tape.info.size", numbers),
    shown.from === null
      ? say("tape.info.shown.none")
      : say("tape.info.shown", {
          messages: formatCount(shown.messages),
          from: shown.from,
          tokens: formatCount(shown.tokens),
        }),
    lastMark ? say("tape.info.last", { mark: markHead(lastMark, say) }) : say("tape.info.whole"),
  ].join("\n");
}

/** One line for each, with the beginning of its summary. */
export function tapeMarkWords(marks: readonly TapeMarkView[], say: Say): string {
  if (marks.length === 0) return say("tape.anchors.none");
  return marks
    .map((mark) => [markHead(mark, say), shortened(mark.summary)].filter(Boolean).join(say("tape.colon")))
    .join("\n");
}

export function tapeHitWords({ hits, searchedBackTo }: TapeSearchView, words: string, say: Say): string {
  const lines = hits.map(({ seq, time, role, snippet, isElsewhere, sessionId }) => {
    const line = say("tape.search.hit", { seq, time: moment(time), role, snippet });
    return isElsewhere ? `${line} ${say("tape.search.elsewhere", { sessionId })}` : line;
  });
  return [
    ...(hits.length === 0 ? [say("tape.search.none", { words })] : lines),
    ...(searchedBackTo ? [say("tape.search.back-to", { seq: searchedBackTo.seq })] : []),
  ].join("\n");
}

export function handoffWords({ name, seq, summary }: HandoffView, say: Say): string {
  const opening = say(summary === "" ? "tape.handoff.no-summary" : "tape.handoff.summary");
  return [say("tape.handoff.done", { name, seq }), opening, say("tape.handoff.kept")].join(say("tape.space"));
}

const markHead = ({ seq, time, type, name }: TapeMarkView, say: Say): string =>
  say(type === "anchor" ? "tape.mark.anchor" : "tape.mark.summary", { seq, time: moment(time), name });

/** To the minute, in UTC as everywhere. */
const moment = (time: string): string => `${time.slice(0, 10)} ${time.slice(11, 16)}Z`;

const longest = 160;

function shortened(text: string): string {
  const characters = [...text.replace(/\s+/g, " ").trim()];
  return characters.length > longest ? `${characters.slice(0, longest).join("")}…` : characters.join("");
}
