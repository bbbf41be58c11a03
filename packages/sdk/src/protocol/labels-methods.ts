/** Labels of files and turns, and which versions of the files that steer the assistant count. */
import { Type } from "typebox";
import { answer, limit, method, ofAgent, sessionKey } from "./method.ts";

/** Absolute, or relative to the workdir of the agent. */
const path = Type.String({ minLength: 1, maxLength: 4096 });

export const labelsMethods = {
  /** Of a file, of the files in a folder, or else of the turns of a session, the newest first. */
  "policy.labels": method({
    params: { path: Type.Optional(path), sessionKey, ...ofAgent, limit },
    result: answer<LabelsView>(),
    effect: "read",
    permission: "sessions.view",
    scope: "tenant",
  }),
  /** Takes the label away from a file, or from all files in a folder, as they are now: they count as the owner's. */
  "policy.trust": method({
    params: { path, ...ofAgent },
    result: answer<{ trusted: number; skipped: string[] }>(),
    effect: "change",
    permission: "policy.write",
    scope: "tenant",
  }),
  /** The files that steer an agent, each with what has changed since its version was accepted; `path` names one, or a folder. */
  "policy.steering": method({
    params: { path: Type.Optional(path), ...ofAgent },
    result: answer<{ workdir: string; files: SteeringFileView[] }>(),
    effect: "read",
    permission: "sessions.view",
    scope: "tenant",
  }),
  /** Shows such a file, or all of them in a folder, to the agent as it is now. With hashes: only in one of these versions. */
  "policy.accept": method({
    params: {
      path,
      ...ofAgent,
      hashes: Type.Optional(Type.Array(Type.String({ pattern: "^[0-9a-f]{64}$" }), { maxItems: 500 })),
    },
    result: answer<{ accepted: string[]; changed: string[] }>(),
    effect: "change",
    permission: "policy.write",
    scope: "tenant",
  }),
};

export interface LabelView {
  /** Somebody other than the owner and Pincer wrote some of it, or nobody knows who did. */
  untrusted: boolean;
  /** The private sources that it may hold. */
  sources: string[];
}

export interface FileLabelView extends LabelView {
  /** In its workdir, or absolute. */
  name: string;
  /**
   * Why. `tool`: a tool wrote this content; `owner`: the owner took the label away; `accepted`: the version of a steering file that
   * counts; `known`: no program ran when it was changed; `program`: one did; `unrecorded`: from before programs were recorded; `lost`: what was
   * known of it is lost.
   */
  why: "tool" | "owner" | "accepted" | "known" | "program" | "unrecorded" | "lost";
  /** When the label was stored, or the file changed. */
  since: string;
}

export interface TurnLabelView extends LabelView {
  turnId: string;
  at: string;
  /** Where its untrusted texts come from: `web example.org`. */
  because: string[];
}

export type LabelsView =
  | { type: "files"; files: FileLabelView[]; isCut: boolean }
  | { type: "session"; sessionKey: string; turns: TurnLabelView[] };

export interface SteeringFileView {
  /** In the workdir. */
  name: string;
  path: string;
  /** `accepted`: it is shown to the agent. `changed`: another version was accepted. `new`: none was. `large`: it is too large. */
  state: "accepted" | "changed" | "new" | "large";
  /** Of the present content; null if it is too large. */
  hash: string | null;
  /** What has changed since the accepted version, as a unified diff; empty where it is accepted. */
  diff: string;
}
