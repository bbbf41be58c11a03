/** What a dry run would have done: codes and values, said in the language of whoever reads them. */
import { reasonWords, type GateReason, type ReasonTexts } from "./gate-reason.ts";

export interface DryRunView {
  effects: DryEffectView[];
  /** What changed in the copy of the workdir; left out where no copy was needed. */
  changes?: ChangesView;
}

export interface DryEffectView {
  callId: string;
  tool: string;
  /** Whether the call would be done, the owner would be asked first, or it would be denied. */
  would: "run" | "ask" | "deny";
  /** What exactly the call would do. */
  shown: string;
  recipient?: string;
  /** Why it would ask or be denied; the English sentence, and its codes. */
  reason: string;
  reasons: readonly GateReason[];
}

export interface ChangesView {
  files: number;
  added: number;
  removed: number;
  /** Unified diffs, one after another. */
  text: string;
  /** False if something of it was too large to show. */
  isWhole: boolean;
}

/** "would ask: message – the owner did not ask to write to eve". Pure. */
export function dryEffectWords({ tool, would, reason, reasons }: DryEffectView, texts: ReasonTexts): string {
  const key = `dry-run.would.${would}`;
  const why = reasonWords(reasons, texts) ?? texts.quote(reason);
  return texts.say(key, { tool, reason: why }) ?? key;
}
