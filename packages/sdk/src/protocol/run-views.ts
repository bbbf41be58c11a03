/** What a run is made of, as somebody sees it who wants to know where its time and its money went. */

/** One request to a model. */
export interface RunCallView {
  provider: string;
  model: string;
  credential: string | null;
  /** ok, aborted, open (under way), lost, or why it failed. */
  outcome: string;
  startedAt: string;
  durationMs: number;
  /** Null where nothing came. */
  firstByteMs: number | null;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  total: number;
  cost: number;
  /** Nobody knows what it costs. */
  unpriced?: true;
}

/** One question to the owner, without what exactly was asked. */
export interface RunQuestionView {
  id: string;
  tool: string;
  callId: string;
  state: string;
  askedAt: string;
  answeredAt: string | null;
  answeredBy: string | null;
}

/** What all requests of a run took together. */
export interface RunSumView {
  calls: number;
  total: number;
  cost: number;
  unpriced: number;
  /** `provider/model`, in the order of their first use. */
  models: string[];
}
