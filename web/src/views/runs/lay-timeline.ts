/** A run as a waterfall: its steps, one below the other, each with its start and end. */
import type { MethodResults, ToolResultMessage } from "@pincer/sdk";

type RunStory = MethodResults["runs.events"];
type Call = RunStory["calls"][number];

export interface TimelineRow {
  /** queue: it waited for its turn. question: it waited for its owner. mark: a moment. */
  kind: "queue" | "model" | "tool" | "question" | "message" | "mark";
  name: string;
  /** Milliseconds since the run was queued. */
  from: number;
  to: number;
  state: "good" | "bad" | "open" | "plain";
  /** Of a request to a model: how many before it failed in a row. */
  retry?: number;
  call?: Call;
  /** Of a tool: what it was called with, and what came of it. */
  tool?: { arguments: unknown; output: string | null };
  question?: RunStory["questions"][number];
  /** More words: an error, how it ended. */
  detail?: string;
}

export interface Timeline {
  rows: TimelineRow[];
  /** Milliseconds from the first moment to the last. */
  length: number;
  isLive: boolean;
}

export function layTimeline(story: RunStory, now: number): Timeline {
  const { run } = story;
  const start = Date.parse(run.queuedAt);
  const at = (iso: string) => Date.parse(iso) - start;
  const isLive = run.endedAt === null && (run.state === "running" || run.state === "queued");
  const lastKnown = run.endedAt === null ? now - start : at(run.endedAt);
  const rows = [
    ...queueRow(story, at, lastKnown),
    ...modelRows(story, at, lastKnown),
    ...toolRows(story, at, lastKnown),
    ...story.questions.map((question): TimelineRow => {
      const isOpen = question.answeredAt === null && question.state === "pending";
      const to = question.answeredAt === null ? lastKnown : at(question.answeredAt);
      const isYes = question.state === "approved" || question.state === "spent";
      const state = isOpen ? "open" : isYes ? "good" : "bad";
      return { kind: "question", name: question.tool, from: at(question.askedAt), to, state, question };
    }),
    ...markRows(story, at),
  ].map((row) => ({ ...row, to: Math.max(row.from, row.to) }));
  rows.sort((one, other) => one.from - other.from || order.indexOf(one.kind) - order.indexOf(other.kind));
  const length = Math.max(1, ...rows.map(({ to }) => to), run.endedAt === null ? 0 : lastKnown);
  return { rows, length, isLive };
}

/** What belongs first where two begin in the same millisecond. */
const order: ReadonlyArray<TimelineRow["kind"]> = ["queue", "model", "question", "tool", "message", "mark"];

type At = (iso: string) => number;

function queueRow({ run }: RunStory, at: At, lastKnown: number): TimelineRow[] {
  const to = run.startedAt === null ? lastKnown : at(run.startedAt);
  if (to < 1 && run.startedAt !== null) return [];
  return [{ kind: "queue", name: "", from: 0, to, state: run.startedAt === null ? "open" : "plain" }];
}

function modelRows({ calls }: RunStory, at: At, lastKnown: number): TimelineRow[] {
  let failed = 0;
  return calls.map((call): TimelineRow => {
    const from = at(call.startedAt);
    const isOpen = call.outcome === "open";
    const isGood = call.outcome === "ok" || call.outcome === "aborted";
    const row: TimelineRow = {
      kind: "model",
      name: `${call.provider}/${call.model}`,
      from,
      to: isOpen ? lastKnown : from + call.durationMs,
      state: isOpen ? "open" : isGood ? "good" : "bad",
      call,
      ...(failed > 0 ? { retry: failed } : {}),
      ...(isGood || isOpen ? {} : { detail: call.outcome }),
    };
    failed = isGood || isOpen ? 0 : failed + 1;
    return row;
  });
}

/** A call begins with a step and ends with its result; ids are the model's, so the first result behind its beginning is meant. */
function toolRows({ events, run }: RunStory, at: At, lastKnown: number): TimelineRow[] {
  const used = new Set<number>();
  return events.flatMap((event, index): TimelineRow[] => {
    if (event.type !== "step" || event.step.type !== "tool-begin") return [];
    const callId = String(event.step["callId"]);
    const found = events.findIndex(
      (later, place) => place > index && !used.has(place) && resultIn(later)?.toolCallId === callId,
    );
    if (found >= 0) used.add(found);
    const ended = events[found];
    const result = ended && resultIn(ended);
    const isOver = result !== undefined || run.endedAt !== null;
    return [
      {
        kind: "tool",
        name: String(event.step["name"]),
        from: at(event.time),
        to: ended ? at(ended.time) : lastKnown,
        state: result ? (result.isError ? "bad" : "good") : isOver ? "bad" : "open",
        tool: {
          arguments: argumentsOf(events.slice(0, index), callId),
          output: result ? textIn(result) : null,
        },
      },
    ];
  });
}

function resultIn(event: RunStory["events"][number]): ToolResultMessage | undefined {
  if (event.type !== "entry" || event.entry.type !== "message") return undefined;
  const { message } = event.entry;
  return message.role === "toolResult" ? message : undefined;
}

const textIn = ({ content }: ToolResultMessage): string =>
  content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");

/** The last answer that asks for it says with what. */
function argumentsOf(before: RunStory["events"], callId: string): unknown {
  for (const event of before.toReversed()) {
    if (event.type !== "entry" || event.entry.type !== "message") continue;
    const { message } = event.entry;
    if (message.role !== "assistant") continue;
    for (const block of message.content)
      if (block.type === "toolCall" && block.id === callId) return block.arguments;
  }
  return undefined;
}

function markRows({ events, run }: RunStory, at: At): TimelineRow[] {
  return events.flatMap((event): TimelineRow[] => {
    const from = at(event.time);
    if (event.type === "message") {
      const { state, sentAt, error, text } = event.message;
      const to = sentAt === null ? from : at(sentAt);
      const outcome = state === "sent" ? "good" : state === "failed" || state === "dropped" ? "bad" : "open";
      return [
        {
          kind: "message",
          name: event.message.destination.channel,
          from,
          to,
          state: outcome,
          detail: error?.message ?? text,
        },
      ];
    }
    if (event.type === "entry")
      return event.entry.type === "compaction"
        ? [{ kind: "mark", name: "compaction", from, to: from, state: "plain" }]
        : [];
    const { type, ...rest } = event.step;
    if (type === "claimed")
      return rest["claims"] === 1
        ? []
        : [{ kind: "mark", name: "claimed", from, to: from, state: "plain", detail: String(rest["claims"]) }];
    if (type === "parked")
      return [
        { kind: "mark", name: "parked", from, to: from, state: "plain", detail: String(rest["reason"]) },
      ];
    if (type === "ended") {
      const { ending } = run;
      const state = run.state === "done" ? "good" : "bad";
      const reason = ending && typeof ending["reason"] === "string" ? ending["reason"] : undefined;
      const name = ending?.type ?? "ended";
      return [{ kind: "mark", name, from, to: from, state, ...(reason ? { detail: reason } : {}) }];
    }
    return type === "steered" || type === "continued"
      ? [{ kind: "mark", name: type, from, to: from, state: "plain" }]
      : [];
  });
}

/** Moments at which a line is drawn: few, and round. */
export function timeTicks(length: number, most = 6): number[] {
  const rough = length / most;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? power * 10;
  const ticks: number[] = [];
  for (let tick = 0; tick <= length; tick += step) ticks.push(tick);
  return ticks;
}
