/** What the owner is told of files and turns, and says of them: their labels, and which versions of steering files count. */
import { realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import {
  joinLabels,
  labelOfOrigin,
  type Entry,
  type FileLabelView,
  type Label,
  type SteeringFileView,
  type TurnLabelView,
} from "@pincer/sdk";
import { agentSettings } from "../../agent/agent-settings.ts";
import { allPaths } from "../../agent/context/prompt-files.ts";
import { defaultAgentOf } from "../../config/default-agent.ts";
import { locateWorkdir } from "../../config/locate-workdir.ts";
import type { Config } from "../../config/schema.ts";
import { failure } from "../../infra/failure.ts";
import { unifiedDiff } from "../../infra/unified-diff.ts";
import type { OpenLabels } from "../../gate/labels/open-labels.ts";
import { isInside } from "../../sandbox/is-inside.ts";
import type { FileVersion } from "../../sandbox/file-version.ts";
import { createWorkdirFiles, type WorkdirFiles } from "../../sandbox/workdir-files.ts";
import { isMissing } from "../../sandbox/workdir-opener.ts";
import { listSkillPaths } from "../../skills/read-skills.ts";
import type { GateStore } from "../../storage/gate/gate.ts";
import type { SessionRecord } from "../../storage/stores.ts";
import type { TenantStores } from "../../storage/storage.ts";

export interface FilePolicyParts {
  stores: Pick<TenantStores, "entries"> & { gate: Pick<GateStore, "labelFiles"> };
  home: { root: string };
  environment: Readonly<Record<string, string | undefined>>;
  config(): Config;
  labels: OpenLabels;
}

interface Asked {
  path: string;
  agentId?: string | undefined;
}

const mostFiles = 20_000;
const deepest = 40;
/** Nobody reads what lies in them. */
const closed = new Set([".git", "node_modules"]);
const atOnce = 500;

export function createFilePolicy({ stores, home, environment, config, labels }: FilePolicyParts) {
  const workdirOf = (agentId: string) =>
    locateWorkdir({
      flag: undefined,
      configured: agentSettings(config(), agentId).workspace,
      cwd: home.root,
      environment: { ...environment },
      homeRoot: home.root,
    });

  /** The workdir that it lies in, and whose that is; a folder of nobody's is one of the usual agent's by itself. Throws `usage/not-found`. */
  async function placeOf({ path, agentId }: Asked): Promise<Place> {
    const usual = defaultAgentOf(config());
    const all = agentId === undefined ? [usual, ...config().agents.list.map(({ id }) => id)] : [agentId];
    const agentIds = [...new Set(all)];
    const full = isAbsolute(path) ? path : join(workdirOf(agentId ?? usual), path);
    const real = await realpath(full).catch(() => undefined);
    if (real === undefined)
      throw failure("usage/not-found", "policy.no-file", { path: full }, { hint: "policy.no-file.hint" });
    const workdirs = new Map<string, string[]>();
    for (const id of agentIds) {
      const workdir = await realpath(workdirOf(id)).catch(() => undefined);
      if (workdir !== undefined && isInside(real, workdir))
        workdirs.set(workdir, [...(workdirs.get(workdir) ?? []), id]);
    }
    const isDirectory = (await stat(real)).isDirectory();
    // The nearest one, where one lies in another.
    const [found] = [...workdirs].sort(([one], [other]) => other.length - one.length);
    const [workdir, owners] = found ?? [isDirectory ? real : folderOf(real), [agentId ?? usual]];
    const files = createWorkdirFiles({ workdir, closed: home.root });
    return { files, workdir, agentIds: owners, name: relative(workdir, real) || ".", isDirectory };
  }

  /** Files, not folders. */
  async function namesIn(
    { files, name, isDirectory }: Place,
    most: number,
  ): Promise<{ names: string[]; isCut: boolean }> {
    if (!isDirectory) return { names: [name], isCut: false };
    const { names, truncated } = await files.list(name, deepest, most, closed);
    const below = names.filter((each) => !each.endsWith("/"));
    return { names: below.map((each) => (name === "." ? each : join(name, each))), isCut: truncated };
  }

  async function explained(place: Place, names: readonly string[]): Promise<FileLabelView[]> {
    const versions: FileVersion[] = [];
    for (const name of names) {
      const found = await place.files.version(name).catch(() => undefined);
      if (found) versions.push(found.version);
    }
    const all = await labels.files.explain(versions);
    return all.map(({ label, why, since }, index) => ({
      ...label,
      why,
      name: versions[index]?.name ?? "",
      since: since ?? new Date(versions[index]?.ctimeMs ?? 0).toISOString(),
    }));
  }

  async function steeringIn({ files, agentIds, workdir, name, isDirectory }: Place): Promise<Steering[]> {
    const known = [...allPaths, ...(await listSkillPaths(files))];
    const wanted = known.filter((each) =>
      isDirectory ? isInside(join(workdir, each), join(workdir, name)) : each === name,
    );
    const found: Steering[] = [];
    for (const each of wanted)
      for (const agentId of agentIds) {
        const steering = await lookAt(files, each, agentId);
        if (steering) found.push(steering);
      }
    return found;
  }

  /** Undefined if there is none, or nothing that could be a text. */
  async function lookAt(files: WorkdirFiles, path: string, agentId: string): Promise<Steering | undefined> {
    try {
      const { bytes, version } = await files.version(path);
      if (version.name.endsWith("/")) return undefined;
      const text = bytes?.toString("utf8") ?? "";
      const before = await labels.accepted.textBefore(agentId, version.real);
      const changedAt = await files.changedAt(path);
      const file = { agentId, workdir: files.root, version, changedAt, text };
      const refusal = await labels.accepted.judge(file);
      return { file, before, state: refusal ?? "accepted" };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  return {
    async labelsOf(asked: Asked, limit: number): Promise<{ files: FileLabelView[]; isCut: boolean }> {
      const place = await placeOf(asked);
      const { names, isCut } = await namesIn(place, limit);
      return { files: await explained(place, names.slice(0, limit)), isCut };
    },

    /** Newest first. */
    async turnsOf({ sessionId }: SessionRecord, limit: number): Promise<TurnLabelView[]> {
      const entries = await stores.entries.recent(sessionId, mostEntries);
      const turns = Map.groupBy(entries, (entry) => runOf(entry) ?? "");
      turns.delete("");
      const views = [...turns].map(([turnId, each]) => turnView(turnId, each));
      return views.toReversed().slice(0, limit);
    },

    async trust(asked: Asked, actor: string): Promise<{ trusted: number; skipped: string[] }> {
      const place = await placeOf(asked);
      const { names, isCut } = await namesIn(place, mostFiles);
      if (isCut)
        throw failure(
          "usage/bad-argument",
          "policy.too-many",
          { most: mostFiles },
          { hint: "policy.too-many.hint" },
        );
      const of = labels.places.of(join(place.workdir, place.name));
      const skipped: string[] = [];
      let trusted = 0;
      for (let at = 0; at < names.length; at += atOnce) {
        const rows: Array<{ path: string; hash: string; label: Label }> = [];
        for (const name of names.slice(at, at + atOnce)) {
          const version = (await place.files.version(name).catch(() => undefined))?.version;
          if (version?.hash === undefined) skipped.push(name);
          else rows.push({ path: labels.places.of(version.real), hash: version.hash, label: trustedLabel });
        }
        await stores.gate.labelFiles(rows, { type: "owner", actor, of });
        trusted += rows.length;
      }
      return { trusted, skipped };
    },

    async steering(asked: Partial<Asked>): Promise<{ workdir: string; files: SteeringFileView[] }> {
      const place = await placeOf({ ...asked, path: asked.path ?? "." });
      const found = await steeringIn(place);
      return { workdir: place.workdir, files: await Promise.all(found.map(steeringView)) };
    },

    async accept(
      { hashes, ...asked }: Asked & { hashes?: readonly string[] | undefined },
      actor: string,
    ): Promise<{ accepted: string[]; changed: string[] }> {
      const place = await placeOf(asked);
      const found = await steeringIn(place);
      if (found.length === 0)
        throw failure(
          "usage/not-found",
          "policy.no-steering",
          { path: join(place.workdir, place.name) },
          { hint: "policy.no-steering.hint" },
        );
      const accepted = new Set<string>();
      const changed = new Set<string>();
      for (const { file, state } of found) {
        const { hash = "", name } = file.version;
        if (state === "accepted" || state === "large") continue;
        // Another one than the owner has seen.
        if (hashes && !hashes.includes(hash)) changed.add(name);
        else {
          await labels.accepted.accept(file, actor);
          accepted.add(name);
        }
      }
      return { accepted: [...accepted], changed: [...changed] };
    },
  };
}

interface Place {
  files: WorkdirFiles;
  /** A real path. */
  workdir: string;
  agentIds: string[];
  /** In the workdir. */
  name: string;
  isDirectory: boolean;
}

/** What a file would be in the workdir of; those that steer may lie deeper in it. */
function folderOf(real: string): string {
  const at = Math.max(real.lastIndexOf("/skills/"), real.lastIndexOf("/.agent/"));
  return at < 0 ? dirname(real) : real.slice(0, at).replace(/\/\.agent$/u, "") || "/";
}

interface Steering {
  file: Parameters<OpenLabels["accepted"]["judge"]>[0];
  before: string | undefined;
  state: SteeringFileView["state"];
}

/** It stays private as itself: that is no label, but what it is. */
const trustedLabel: Label = { untrusted: false, sources: [] };
const mostEntries = 1000;

async function steeringView({ file, before, state }: Steering): Promise<SteeringFileView> {
  const { version, text: after } = file;
  const isShown = state === "changed" || state === "new";
  const diff = isShown ? await unifiedDiff({ path: version.name, before, after }) : { text: "" };
  return { name: version.name, path: version.real, state, hash: version.hash ?? null, diff: diff.text };
}

const runOf = (entry: Entry): string | undefined => (entry.type === "message" ? entry.runId : undefined);

function turnView(turnId: string, entries: readonly Entry[]): TurnLabelView {
  const texts = entries.flatMap(textsOf);
  const because = texts.filter(({ label }) => label.untrusted).map(({ from }) => from);
  const label = joinLabels(texts.map((each) => each.label));
  return { turnId, at: entries[0]?.time ?? "", ...label, because: [...new Set(because)].slice(0, 10) };
}

function textsOf(entry: Entry): Array<{ label: Label; from: string }> {
  if (entry.type !== "message") return [];
  const { message } = entry;
  if (message.role === "user")
    return message.content.map((block) => {
      const { origin, from = "", label } = block.type === "text" ? block : { origin: "quoted" as const };
      return { label: label ?? labelOfOrigin(origin, from), from: [origin, from].filter(Boolean).join(" ") };
    });
  const { origin, from, label } = message;
  // What the model itself says stores the label of all that it was shown; what was told to us has an origin.
  if (message.role === "assistant" && label === undefined && origin === undefined) return [];
  const source = message.role === "toolResult" ? (from ?? basename(message.toolName)) : (from ?? "");
  return [
    {
      label: label ?? labelOfOrigin(origin, source),
      from: [origin ?? "session", source].filter(Boolean).join(" "),
    },
  ];
}

export type FilePolicy = ReturnType<typeof createFilePolicy>;
