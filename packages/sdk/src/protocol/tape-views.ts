/** The stored history of a session, and the next request made from it, as a gateway reports them. */

/** A position from which context starts: a handoff, or a summary. */
export interface TapeMarkView {
  seq: number;
  time: string;
  type: "anchor" | "summary";
  name: string;
  summary: string;
  /** Who set an anchor: `cli:owner`, `telegram:42`. */
  by?: string;
}

export interface TapeInfoView {
  sessionKey: string;
  sessionId: string;
  state: "active" | "ended";
  since: string;
  entries: number;
  messages: number;
  /** Both count up to 1000. */
  anchors: number;
  summaries: number;
  lastMark: TapeMarkView | null;
  /** What follows the last mark; `messages` counts up to 1000, `tokens` is an estimate. */
  shown: { from: number | null; messages: number; tokens: number };
}

export interface TapeHitView {
  sessionId: string;
  /** Whether it was said in another session of the same key. */
  isElsewhere: boolean;
  seq: number;
  time: string;
  /** `user`, `assistant`, or the name of the tool. */
  role: string;
  /** One line around the first match. */
  snippet: string;
}

export interface TapeSearchView {
  hits: TapeHitView[];
  /** The entry at which the search stopped, if there was more to search. */
  searchedBackTo: { sessionId: string; seq: number } | null;
}

export interface HandoffView {
  sessionId: string;
  seq: number;
  time: string;
  name: string;
  summary: string;
}

/** The parts of a request in their order. */
export interface ContextPartView {
  kind: "prompt" | "tools" | "history";
  name: string;
  tokens: number;
  /** For people: why it is there. */
  why: string;
  text?: string;
  /** The entries that it covers. */
  from?: number;
  to?: number;
  count?: number;
}

/** What the next request of a session would contain. */
export interface ContextView {
  sessionKey: string;
  /** Null before anything was said. */
  sessionId: string | null;
  agentId: string;
  model: { provider: string; id: string };
  /** In tokens. `flushAt`, `compactAt`: null if it does not happen automatically. */
  window: {
    contextWindow: number;
    maxTokens: number;
    flushAt: number | null;
    compactAt: number | null;
    estimatedUsed: number;
  };
  parts: ContextPartView[];
  total: number;
}
