/**
 * Which versions of the files that steer the assistant count. What Pincer shows in every prompt must be the owner's word: by the
 * hash that the owner accepted, not by its name. In the agent's own workspace a version is accepted by itself if nobody but the
 * owner can have written it; anywhere else, in a clone for instance, the owner says so.
 */
import type { Label, ToolCallContext } from "@pincer/sdk";
import { isProtected } from "../../policy/protected-paths.ts";
import type { FileVersion } from "../../sandbox/file-version.ts";
import type { AcceptedVersion, FileHistory, GateStore } from "../../storage/gate/gate.ts";
import type { FilePlaces } from "./file-place.ts";

export interface SteeringFile {
  agentId: string;
  workdir: string;
  version: FileVersion;
  /** When what leads to the file was last changed: a program may have put something else in its place. */
  changedAt: readonly number[];
  text: string;
}

/** Why a version does not count: `changed`, unlike the one that counts; `new`, none counts yet; `large`, it cannot be compared. */
export type Refusal = "changed" | "new" | "large";

export interface WrittenSteering {
  call: Pick<ToolCallContext, "place" | "confirmed">;
  real: string;
  name: string;
  hash: string;
  content: string | undefined;
  /** What it was made of counted, if anything. */
  isFromAccepted: boolean;
}

export interface AcceptedFiles {
  /** Undefined: it counts. Accepts by itself what only the owner can have written. Throws what the storage does. */
  judge(file: SteeringFile): Promise<Refusal | undefined>;
  /** After a tool has written a file: what the owner was shown and said yes to counts. */
  wrote(file: WrittenSteering): Promise<void>;
  /** The owner says so. */
  accept(file: Pick<SteeringFile, "agentId" | "workdir" | "version" | "text">, by: string): Promise<void>;
  /** What counted last, for showing what has changed. */
  textBefore(agentId: string, real: string): Promise<string | undefined>;
  /** Changes whenever another version counts; for those who keep what they have made of them. */
  revision(): number;
}

export interface AcceptedFilesParts {
  store: Pick<GateStore, "listAccepted" | "acceptedText" | "accept" | "describeFiles">;
  places: Pick<FilePlaces, "of" | "isInHome">;
  /** The files of a workdir that do not count now, by name, whenever they are others than before. Its errors are ignored. */
  tell?(workdir: string, names: readonly string[]): Promise<void>;
}

export function createAcceptedFiles({ store, places, tell }: AcceptedFilesParts): AcceptedFiles {
  let revision = 0;
  /** By workdir. Undefined: it is not known what was told before. */
  const refused = new Map<string, Set<string>>();

  async function judge(file: SteeringFile): Promise<Refusal | undefined> {
    const { agentId, version, text } = file;
    const { hash } = version;
    if (hash === undefined) return "large";
    const path = places.of(version.real);
    const known = (await store.listAccepted(agentId)).filter((each) => each.path === path);
    if (known.some((each) => each.hash === hash)) return undefined;
    const by = await acceptedBy(file, hash, known);
    if (by === undefined) return known.length > 0 ? "changed" : "new";
    await store.accept({ agentId, path, hash, by, text });
    return undefined;
  }

  /** Who stands for it without a word; undefined if nobody does. */
  async function acceptedBy(
    { version, changedAt }: SteeringFile,
    hash: string,
    known: readonly AcceptedVersion[],
  ): Promise<string | undefined> {
    const path = places.of(version.real);
    const [facts, ...ways] = await store.describeFiles([
      { path, hash, ctimeMs: version.ctimeMs },
      ...changedAt.map((ctimeMs) => ({ path, ctimeMs })),
    ]);
    if (!facts) return undefined;
    const isTrusted = ({ untrusted }: Label) => !untrusted;
    if (facts.stored?.by === "tool")
      return isTrusted(facts.stored.label) && facts.copied.every(isTrusted) ? "assistant" : undefined;
    if (!places.isInHome(version.real) || !facts.copied.every(isTrusted)) return undefined;
    const histories = [facts, ...ways].map(({ history }) => history);
    const isAll = (...allowed: FileHistory[]) => histories.every((history) => allowed.includes(history));
    if (isAll("known")) return "editor";
    return known.length === 0 && isAll("known", "unrecorded") ? "upgrade" : undefined;
  }

  async function note(workdir: string, name: string, isRefused: boolean): Promise<void> {
    const names = refused.get(workdir);
    if (names && names.has(name) === isRefused) return;
    const now = new Set(names);
    if (isRefused) now.add(name);
    else now.delete(name);
    refused.set(workdir, now);
    await tell?.(workdir, [...now].sort()).catch(() => undefined);
  }

  return {
    async judge(file) {
      const refusal = await judge(file);
      await note(file.workdir, file.version.name, refusal !== undefined);
      return refusal;
    },
    async wrote({ call, real, name, hash, content, isFromAccepted }) {
      const agentId = call.place?.agentId;
      if (agentId === undefined || call.confirmed !== true || !isFromAccepted || !isProtected(name)) return;
      await store.accept({
        agentId,
        path: places.of(real),
        hash,
        by: "owner",
        ...(content !== undefined && { text: content }),
      });
      revision += 1;
    },
    async accept({ agentId, workdir, version, text }, by) {
      if (version.hash === undefined) throw new Error(`${version.name} has no hash`);
      await store.accept({ agentId, path: places.of(version.real), hash: version.hash, by, text });
      revision += 1;
      await note(workdir, version.name, false);
    },
    textBefore: (agentId, real) => store.acceptedText(agentId, places.of(real)),
    revision: () => revision,
  };
}
