/** What is known of a request that failed. */
export interface FailureEvidence {
  /** Of an answer that was no success. */
  status?: number;
  /** By their names in lower case. */
  headers?: Record<string, string>;
  body?: string;
  /** What was thrown; its causes count. */
  error?: unknown;
  /** What the library made of it. */
  text?: string;
  /** Whether an answer had begun. */
  hasBegun?: boolean;
}
