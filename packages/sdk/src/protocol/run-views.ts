/** The parts of a run, with where its time and money went. */

/** One request to a model. */
export interface RunCallView {
  provider: string;
  model: string;
  credential: string | null;
  /** ok, aborted, open (in progress), lost, or why it failed. */
  outcome: string;
  startedAt: string;
  durationMs: number;
  /** Null if nothing arrived. */
  firstByteMs: number | null;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  total: number;
  cost: number;
  /** Its price is unknown. */
  unpriced?: true;
}

/** One approval request, without its exact content. */
export interface RunQuestionView {
  id: string;
  tool: string;
  callId: string;
  state: string;
  askedAt: string;
  answeredAt: string | null;
  answeredBy: string | null;
}

/** The sum over all requests of a run. */
export interface RunSumView {
  calls: number;
  total: number;
  cost: number;
  unpriced: number;
  /** `provider/model`, in the order of their first use. */
  models: string[];
}
