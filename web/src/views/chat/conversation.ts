/**
 * The known state of a conversation: stored entries, and the live output of runs. Pure: each event gives a new
 * conversation. Repeated events change nothing, so after a reconnect everything may be sent again.
 */
import type {
  ApprovalView,
  AssistantMessage,
  ChatHistoryView,
  Entry,
  RunView,
  ToolCallBlock,
} from "@pincer/sdk";

export interface Conversation {
  /** Empty before anything was asked. */
  sessionKey: string;
  sessionId: string | null;
  /** Whether another session has taken its place. */
  isEnded: boolean;
  /** In rising order, each once: one stretch of the session, all of it loaded. */
  entries: readonly Entry[];
  /** The cursor of the previous page; null at the beginning of the session. */
  before: number | null;
  /** Whether the newest entries are among them. */
  isAtEnd: boolean;
  /** Those that have not ended, in the order in which they were heard of. */
  runs: readonly LiveRun[];
  /** How the last run ended, if that needs a message. */
  ending: RunEnding | null;
}

/** Words that are not stored yet. */
export interface Saying {
  text: string;
  thinking: string;
}

export interface LiveCall {
  call: Pick<ToolCallBlock, "id" | "name" | "arguments">;
  startedAt: string;
  isOver: boolean;
}

export interface LiveRun {
  runId: string;
  state: "queued" | "running" | "waiting";
  /** What was said before each call whose step has not come, and last what is being said. Never empty. */
  said: readonly Saying[];
  calls: readonly LiveCall[];
  approvals: readonly ApprovalView[];
}

export interface RunEnding {
  runId: string;
  type: string;
  reason: string;
  /** Whether `agent.continue` would go on with it. */
  canGoOn: boolean;
}

export type News =
  /** newest: the last page. older: the one before what is there. newer: the one behind. around: somewhere else. */
  | { type: "page"; place: "newest" | "older" | "newer" | "around"; page: ChatHistoryView; isAtEnd?: boolean }
  | { type: "runs"; runs: readonly RunView[] }
  | { type: "run"; runId: string; state: string }
  | { type: "event"; runId: string; event: string; payload: unknown; at: string }
  | { type: "ended"; runId: string };

export const emptyConversation: Conversation = {
  sessionKey: "",
  sessionId: null,
  isEnded: false,
  entries: [],
  before: null,
  isAtEnd: true,
  runs: [],
  ending: null,
};

export function hear(conversation: Conversation, news: News): Conversation {
  switch (news.type) {
    case "page":
      return takePage(conversation, news);
    case "runs":
      return takeRuns(conversation, news.runs);
    case "run":
      return { ...conversation, runs: withRun(conversation.runs, news.runId, news.state) };
    case "event":
      return hearRun(conversation, news);
    case "ended":
      return { ...conversation, runs: conversation.runs.filter(({ runId }) => runId !== news.runId) };
  }
}

function takePage(
  conversation: Conversation,
  { place, page, isAtEnd }: Extract<News, { type: "page" }>,
): Conversation {
  const { sessionKey, sessionId, isEnded, entries, before } = page;
  const isOther = conversation.sessionId !== null && conversation.sessionId !== sessionId;
  const known = isOther ? { ...emptyConversation, runs: conversation.runs } : conversation;
  const named = { ...known, sessionKey, sessionId, isEnded };
  const first = entries[0]?.seq ?? Infinity;
  const last = known.entries.at(-1)?.seq ?? 0;
  switch (place) {
    case "older":
      return { ...named, entries: merged(entries, known.entries), before };
    case "newer":
      return { ...named, entries: merged(known.entries, entries), isAtEnd: isAtEnd ?? false };
    case "around":
      return { ...named, entries, before, isAtEnd: isAtEnd ?? false };
    case "newest": {
      const isJoined = known.entries.length > 0 && first <= last + 1;
      if (isJoined) return { ...named, entries: merged(known.entries, entries), isAtEnd: true };
      // A reader far above keeps the position.
      return known.isAtEnd ? { ...named, entries, before } : named;
    }
  }
}

/** What both hold is the same: entries never change. */
function merged(some: readonly Entry[], others: readonly Entry[]): readonly Entry[] {
  const lastOfSome = some.at(-1)?.seq ?? 0;
  const firstOfOthers = others[0]?.seq ?? Infinity;
  if (others.length === 0) return some;
  if (lastOfSome < firstOfOthers) return [...some, ...others];
  const bySeq = new Map(some.map((entry) => [entry.seq, entry]));
  const fresh = others.filter(({ seq }) => !bySeq.has(seq));
  if (fresh.length === 0) return some;
  return [...some, ...fresh].sort((a, b) => a.seq - b.seq);
}

function takeRuns(conversation: Conversation, runs: readonly RunView[]): Conversation {
  const open = runs.filter(({ state }) => isOpen(state)).toReversed();
  const kept = open.reduce<readonly LiveRun[]>(
    (all, { runId, state }) => withRun(all, runId, state),
    conversation.runs.filter(({ runId }) => open.some((run) => run.runId === runId)),
  );
  const { sessionId, isEnded } = conversation;
  // Sessions that followed each other share their key.
  const last = runs.find((run) => (run.sessionId ?? sessionId) === sessionId);
  const ending = last ? endingOf(last) : null;
  return {
    ...conversation,
    runs: kept,
    ending: ending && { ...ending, canGoOn: ending.canGoOn && !isEnded },
  };
}

export const isOpen = (state: string): boolean =>
  state === "queued" || state === "running" || state === "waiting";

function withRun(runs: readonly LiveRun[], runId: string, given: string): readonly LiveRun[] {
  if (!isOpen(given)) return runs.filter((run) => run.runId !== runId);
  const state = given as LiveRun["state"];
  const known = runs.find((run) => run.runId === runId);
  if (known?.state === state) return runs;
  if (known) return runs.map((run) => (run === known ? { ...run, state } : run));
  return [...runs, { runId, state, said: [silence], calls: [], approvals: [] }];
}

const silence: Saying = { text: "", thinking: "" };

/** Null where the entries say it all: it was answered, stopped, or failed for a reason that was told. */
function endingOf({ runId, ending }: RunView): RunEnding | null {
  if (!ending || wellTold.has(ending.type)) return null;
  const reason = typeof ending["reason"] === "string" ? ending["reason"] : "";
  const code = typeof ending["code"] === "string" ? ending["code"] : "";
  const canGoOn =
    resumable.has(ending.type) || (ending.type === "failed" && /^(?:model|config)\//.test(code));
  return { runId, type: ending.type, reason, canGoOn };
}

const wellTold: ReadonlySet<string> = new Set(["answered", "silent", "handed-over", "aborted"]);

const resumable: ReadonlySet<string> = new Set([
  "step-limit",
  "budget",
  "repeated-calls",
  "breaker",
  "model-failed",
  "cut",
]);

interface RunNews {
  seq?: number;
  entry?: Entry;
  text?: string;
  thinking?: string;
  delta?: string;
  call?: ToolCallBlock;
  approval?: ApprovalView;
  id?: string;
  state?: ApprovalView["state"];
}

function hearRun(
  conversation: Conversation,
  { runId, event, payload, at }: Extract<News, { type: "event" }>,
): Conversation {
  const told = payload as RunNews;
  const known = conversation.runs.find((run) => run.runId === runId);
  const runs = known ? conversation.runs : withRun(conversation.runs, runId, "running");
  const change = (how: (run: LiveRun) => LiveRun): Conversation => ({
    ...conversation,
    runs: runs.map((run) => (run.runId === runId ? how(run) : run)),
  });
  switch (event) {
    case "agent.step":
      return told.entry ? takeStep(change(speaking), runId, told.entry) : conversation;
    case "agent.snapshot":
      return change((run) => ({
        ...speaking(run),
        said: [{ text: told.text ?? "", thinking: told.thinking ?? "" }],
      }));
    case "agent.delta":
      return change((run) => grown(run, { text: told.delta ?? "", thinking: "" }));
    case "agent.thinking":
      return change((run) => grown(run, { text: "", thinking: told.delta ?? "" }));
    case "agent.start_over":
      return change((run) => ({ ...run, said: [silence] }));
    case "agent.tool_call":
      return change((run) => begun(run, told.call, at));
    case "agent.tool_result":
      return change((run) => ({
        ...run,
        calls: run.calls.map((each) => (each.call.id === told.call?.id ? { ...each, isOver: true } : each)),
      }));
    case "agent.approval":
      return told.approval ? change((run) => asked(run, told.approval as ApprovalView)) : conversation;
    case "agent.approval_answered":
      return change((run) => ({
        ...run,
        state: "running",
        approvals: run.approvals.map((each) =>
          each.id === told.id && told.state ? { ...each, state: told.state } : each,
        ),
      }));
    default:
      return conversation;
  }
}

const speaking = (run: LiveRun): LiveRun => (run.state === "running" ? run : { ...run, state: "running" });

function grown(run: LiveRun, more: Saying): LiveRun {
  const open = run.said.at(-1) ?? silence;
  const now = { text: open.text + more.text, thinking: open.thinking + more.thinking };
  return { ...speaking(run), said: [...run.said.slice(0, -1), now] };
}

/** The text so far is a separate step, which may arrive slightly after the next text. */
function begun(run: LiveRun, call: ToolCallBlock | undefined, at: string): LiveRun {
  if (!call || run.calls.some((each) => each.call.id === call.id && !each.isOver)) return run;
  const { id, name, arguments: given } = call;
  const calls = [
    ...run.calls.filter((each) => each.call.id !== id),
    { call: { id, name, arguments: given }, startedAt: at, isOver: false },
  ];
  const open = run.said.at(-1) ?? silence;
  const said = open.text === "" && open.thinking === "" ? run.said : [...run.said, silence];
  return { ...speaking(run), calls, said };
}

function asked(run: LiveRun, approval: ApprovalView): LiveRun {
  const others = run.approvals.filter(({ id }) => id !== approval.id);
  return { ...run, approvals: [...others, approval] };
}

function takeStep(conversation: Conversation, runId: string, entry: Entry): Conversation {
  const runs = conversation.runs.map((run) => (run.runId === runId ? withStep(run, entry) : run));
  // Far above nothing is added below: it is loaded on scrolling there.
  const entries = conversation.isAtEnd ? merged(conversation.entries, [entry]) : conversation.entries;
  return { ...conversation, entries, runs };
}

function withStep(run: LiveRun, entry: Entry): LiveRun {
  if (entry.type !== "message" || entry.message.role !== "assistant") return run;
  return { ...run, said: withoutStored(run.said, entry.message) };
}

/** What a step holds is no longer on its way. What follows it may be there already. */
function withoutStored(said: readonly Saying[], message: AssistantMessage): readonly Saying[] {
  if (said.length > 1) return said.slice(1);
  const [open = silence] = said;
  const stored = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  const isBegun = stored.trim() !== "" && open.text.startsWith(stored);
  return [{ text: isBegun ? open.text.slice(stored.length) : "", thinking: "" }];
}
