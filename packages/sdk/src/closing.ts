/**
 * What stands below the end of a turn: events of its session, as codes and values. Clients say them in the language of
 * whoever reads.
 */
import type { ChangesView, DryRunView } from "./dry-run.ts";
import type { Entry, EntryBody } from "./entry.ts";
import type { GrantedTurnView } from "./granted.ts";

export interface TurnChangesClosing extends ChangesView {
  turnId: string;
  /** What a program wrote to files that steer the assistant or run by themselves, and where it is kept instead. */
  setAside: Array<{ path: string; keptAs: string }>;
}

export interface Closings {
  /** What the owner's words granted, and what was done with it. */
  granted: GrantedTurnView;
  /** What a turn that read texts of others changed in the workdir. */
  changes: TurnChangesClosing;
  /** What a dry run would have done. */
  "dry-run": DryRunView;
}

export const closingNames = ["granted", "changes", "dry-run"] as const satisfies ReadonlyArray<
  keyof Closings
>;
export type ClosingName = (typeof closingNames)[number];

export const closingBody = <Name extends ClosingName>(name: Name, data: Closings[Name]): EntryBody => ({
  type: "event",
  name,
  data: { ...(data as object) },
});

export const isClosing = (entry: Entry | EntryBody): boolean =>
  entry.type === "event" && closingNames.some((name) => name === entry.name);

/** The last one of the name among the entries of a turn. Pure. */
export function closingIn<Name extends ClosingName>(
  entries: readonly Entry[],
  name: Name,
): Closings[Name] | undefined {
  const found = entries.findLast((entry) => entry.type === "event" && entry.name === name);
  // What our own code stored.
  return found?.type === "event" ? (found.data as unknown as Closings[Name]) : undefined;
}
