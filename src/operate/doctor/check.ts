/** The doctor's checks: one shape, each about one thing. */
import type { Say } from "../../infra/texts.ts";

export type Level = "ok" | "warning" | "problem";

export interface Finding {
  level: Level;
  message: string;
  /** What to do next; absent where nothing needs to be done. */
  next?: string;
  /** `pincer doctor --repair` does it. */
  repairable?: true;
  /** What it means for the user. */
  why?: string;
  /** The guide that says more: `docs/guides/<guide>.md`, and `/docs/<guide>` in the page of a gateway. */
  guide?: string;
  /** Where in the config it is, for those who read it as data. */
  place?: { file?: string; line?: number; key?: string };
}

export interface Check {
  id: string;
  /** In the user's language. */
  title: string;
  /** Looks and changes nothing of its own. What it throws is itself a problem of the home. */
  check(): Promise<Finding[]>;
  /** Repairs what can be repaired without losing anything; answers with what it did. Safe to call when all is well. */
  fix?(): Promise<string[]>;
  /** `fix` touches nothing that a running gateway holds, the database above all. */
  fixNeedsNoStop?: true;
}

/** Tells how far a long check has come. */
export type Progress = (title: string, done: number, total: number) => void;

/** For a finding that `fix` of its check repairs. */
export const byRepair = (say: Say): Pick<Finding, "next" | "repairable"> => ({
  next: say("doctor.next.fix"),
  repairable: true,
});

export const levelOf = (findings: readonly Finding[]): Level =>
  findings.some(({ level }) => level === "problem")
    ? "problem"
    : findings.some(({ level }) => level === "warning")
      ? "warning"
      : "ok";
