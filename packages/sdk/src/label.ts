/**
 * What a piece of content carries: whether somebody other than the owner and the product wrote any of it, and which
 * private sources it may hold. Labels are stored with what is written (entries, files, memory) and only grow when
 * texts are put together; only the owner takes one away.
 */
import { Type, type Static } from "typebox";
import type { Origin } from "./provenance.ts";

export const Label = Type.Object({
  /** Somebody other than the owner and the product wrote some of it, or it is unknown who did. */
  untrusted: Type.Boolean(),
  /**
   * The private sources whose content may be in it, sorted: `memory`, `user` (USER.md), `file:<path in the workdir>`,
   * `workdir` (any of its files), `session:<key>`, `tool:<name>` (an account behind a tool), `answer:<session>#<seq>`.
   */
  sources: Type.Array(Type.String()),
});
export type Label = Static<typeof Label>;

/** Of what the owner or the product wrote, and of nothing at all. */
export const clean: Label = { untrusted: false, sources: [] };

/** The label of texts that are put together. Associative, commutative, idempotent; `clean` changes nothing. Pure. */
export function joinLabels(labels: readonly Label[]): Label {
  return {
    untrusted: labels.some(({ untrusted }) => untrusted),
    sources: [...new Set(labels.flatMap(({ sources }) => sources))].sort(),
  };
}

/** Whether `one` says no more than `other`. Pure. */
export const isLabelWithin = (one: Label, other: Label): boolean =>
  (!one.untrusted || other.untrusted) && one.sources.every((source) => other.sources.includes(source));

/**
 * The label of a text that stores none of its own, from its origin. `from` names the file, tool or session. What is
 * unknown is untrusted. Pure.
 */
export function labelOfOrigin(origin: Origin | undefined, from = ""): Label {
  switch (origin) {
    case "owner":
    case "system":
      return clean;
    case "file":
      return { untrusted: true, sources: [from === "" ? "workdir" : `file:${from}`] };
    case "program":
      return { untrusted: true, sources: ["workdir"] };
    case "memory":
      return { untrusted: true, sources: ["memory"] };
    case "session":
      return { untrusted: true, sources: [from === "" ? "session" : `session:${from}`] };
    case "tool":
      return { untrusted: true, sources: [`tool:${from}`] };
    case "summary":
      return { untrusted: true, sources: ["session"] };
    case "peer":
    case "group":
    case "quoted":
    case "web":
    case undefined:
      return { untrusted: true, sources: [] };
  }
}
