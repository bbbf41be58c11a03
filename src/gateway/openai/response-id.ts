/** The ids of responses: `resp_` and the run that made them. */
import { noSuchResponse } from "./openai-failure.ts";

const form = /^resp_([A-Za-z0-9_-]{1,100})$/;

export const responseId = (runId: string): string => `resp_${runId}`;

/** Throws OpenAiFailure 404. */
export function readResponseId(id: string, param: string | null = null): string {
  const runId = form.exec(id)?.[1];
  if (runId === undefined) throw noSuchResponse(id.slice(0, 100), param);
  return runId;
}
