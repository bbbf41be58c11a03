/**
 * Labels of files. A label that was stored counts for content of its hash alone. Without one the file is untrusted and private as
 * itself; if a program may have changed it, it may hold anything of the workdir. Only the owner takes a label away.
 */
import { basename } from "node:path";
import { clean, joinLabels, type Label, type ToolCallContext } from "@pincer/sdk";
import type { AboutToWrite } from "../../sandbox/change-files.ts";
import type { FileVersion } from "../../sandbox/file-version.ts";
import type { FileFacts, GateStore, ReadFile } from "../../storage/gate/gate.ts";
import type { FileLabels } from "../../tools/files/file-labels.ts";
import type { AcceptedFiles } from "./accepted-files.ts";
import type { FilePlaces } from "./file-place.ts";

/** Of what nobody can tell: it may hold anything. */
export const unknownLabel: Label = { untrusted: true, sources: ["memory", "session", "user", "workdir"] };

/** Why a file has its label, as a code: what was stored, or its history. */
export type LabelReason = NonNullable<FileFacts["stored"]>["by"] | FileFacts["history"];

export interface ExplainedLabel {
  label: Label;
  why: LabelReason;
  /** When the label was stored. */
  since: string | undefined;
}

export interface FileLabelsParts {
  store: Pick<GateStore, "describeFiles" | "labelFiles" | "forgetOthers" | "forgetFiles">;
  places: Pick<FilePlaces, "of">;
  accepted?: Pick<AcceptedFiles, "wrote"> | undefined;
  /** Told what went wrong where the answer is that nothing is known. */
  onError?(error: unknown): void;
}

export interface StoredFileLabels extends FileLabels {
  /** Each with its reason. Throws what the storage does. */
  explain(seen: readonly FileVersion[]): Promise<ExplainedLabel[]>;
}

export function createFileLabels(parts: FileLabelsParts): StoredFileLabels {
  const { store, places, accepted } = parts;
  const readFile = ({ real, hash, ctimeMs }: FileVersion): ReadFile => ({
    path: places.of(real),
    hash,
    ctimeMs,
  });

  async function explain(seen: readonly FileVersion[]): Promise<ExplainedLabel[]> {
    const facts = await store.describeFiles(seen.map(readFile));
    return facts.map((each, index) => explainLabel(each, seen[index]?.name ?? ""));
  }

  async function of(seen: readonly FileVersion[]): Promise<Label> {
    try {
      return joinLabels((await explain(seen)).map(({ label }) => label));
    } catch (error) {
      parts.onError?.(error);
      return unknownLabel;
    }
  }

  function writing(call: Pick<ToolCallContext, "contextLabel" | "place" | "confirmed">) {
    const written = new Map<string, AboutToWrite & { isFromAccepted: boolean }>();
    let context: Promise<Label> | undefined;
    return {
      async before(about: AboutToWrite) {
        const { real, hash, from } = about;
        context ??= call.contextLabel?.() ?? Promise.resolve(unknownLabel);
        const [old] = from ? await explain([from]) : [];
        const label = joinLabels([await context, old?.label ?? clean]);
        const isMoved = from !== undefined && from.real !== real;
        // What a crash or a failure leaves, or what is put back, is what it was: not anew by nobody.
        const kept =
          from?.hash !== undefined && old && old.since === undefined
            ? [{ path: places.of(from.real), hash: from.hash, label: old.label }]
            : [];
        const isChanged = isMoved || hash !== from?.hash;
        const fresh = hash !== undefined && isChanged ? [{ path: places.of(real), hash, label }] : [];
        await store.labelFiles([...kept, ...fresh], { type: "tool" });
        if (isChanged) written.set(real, { ...about, isFromAccepted: !old || old.why === "accepted" });
      },
      async done(removed: readonly string[] = []) {
        const versions = [...written.values()].flatMap(({ real, hash }) =>
          hash === undefined ? [] : [{ path: places.of(real), hash }],
        );
        await store.forgetOthers(versions);
        const moved = [...written.values()].flatMap(({ real, from }) =>
          from && from.real !== real && !written.has(real) ? [from.real] : [],
        );
        for (const real of [...removed, ...moved]) await store.forgetFiles(places.of(real));
        for (const { real, name, hash, content, isFromAccepted } of written.values())
          if (hash !== undefined) await accepted?.wrote({ call, real, name, hash, content, isFromAccepted });
      },
    };
  }

  return { explain, of, writing };
}

/** Pure. */
export function explainLabel({ stored, copied, history }: FileFacts, name: string): ExplainedLabel {
  const own = { untrusted: false, sources: sourcesOf(name) };
  if (stored?.by === "accepted") {
    const isUsers = own.sources.includes("user");
    const label = isUsers ? own : isGuess(stored, name) ? somebodys : clean;
    return { label, why: "accepted", since: stored.at };
  }
  if (stored) return { label: joinLabels([stored.label, own, ...copied]), why: stored.by, since: stored.at };
  const unknown: Record<FileFacts["history"], Label> = {
    known: { untrusted: true, sources: [] },
    program: { untrusted: true, sources: ["workdir"] },
    unrecorded: { untrusted: true, sources: ["workdir"] },
    lost: unknownLabel,
  };
  return { label: joinLabels([unknown[history], own, ...copied]), why: history, since: undefined };
}

/**
 * Nobody said yes to it. That is enough for what stands in prompts, a line of a skill, and not for its text: most skills
 * were written by somebody else, whoever copied them here.
 */
const isGuess = ({ acceptedBy = "" }: NonNullable<FileFacts["stored"]>, name: string): boolean =>
  name.toLowerCase().startsWith("skills/") && (acceptedBy === "editor" || acceptedBy === "upgrade");

const somebodys: Label = { untrusted: true, sources: [] };

/** A file is private as itself, but for those that are another source's own. */
function sourcesOf(name: string): string[] {
  const [top = ""] = name.split("/");
  if (/^memory(?:\.md)?$/i.test(top)) return ["memory"];
  return basename(name).toLowerCase() === "user.md" && top === name ? ["user"] : [`file:${name}`];
}
