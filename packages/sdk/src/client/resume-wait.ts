/**
 * Waits for a run over connections that come and go. It requests the stored steps from where the last connection
 * ended, so that each comes once; partial text is discarded with the connection and comes back whole, as a snapshot.
 */
export interface WaitResumption {
  /** What to ask with now. */
  params(): Record<string, unknown>;
  /** Whether an event is news; steps and questions that were told before are not. */
  isNews(event: string, payload: unknown): boolean;
}

export function resumeWait(given: Record<string, unknown>): WaitResumption {
  const { after } = given;
  let last = typeof after === "number" ? after : 0;
  const asked = new Set<unknown>();
  return {
    params: () => ({ ...given, after: last }),
    isNews(event, payload) {
      const { seq, approval } = payload as { seq?: number; approval?: { id?: unknown } };
      if (event === "agent.step" && seq !== undefined) {
        if (seq <= last) return false;
        last = seq;
      }
      if (event !== "agent.approval") return true;
      const isFirst = !asked.has(approval?.id);
      asked.add(approval?.id);
      return isFirst;
    },
  };
}
