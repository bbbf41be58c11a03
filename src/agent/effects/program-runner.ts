/**
 * Runs programs: behind which wall, with which network, and under whose control. All of it is loaded with the first
 * program.
 */
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { createRecent } from "@pincer/sdk";
import type { Home } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import type { Clock } from "../../infra/clock.ts";
import { failure } from "../../infra/failure.ts";
import type { Ids } from "../../infra/ids.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import { listedFiles } from "../../policy/listed-files.ts";
import { protectedNames } from "../../policy/protected-paths.ts";
import type { EgressProxy } from "../../sandbox/egress/proxy.ts";
import { createShells } from "../../sandbox/programs/find-shell.ts";
import type { ProgramRecord, Programs, ProgramSpans } from "../../sandbox/programs/program.ts";
import type { Enclosure, EnclosureNetwork, WallChoice } from "../../sandbox/walls/wall.ts";
import { endWords } from "../../tools/exec-outcome.ts";
import type { ListedSearch } from "../../sandbox/listed-files.ts";
import type { SteeringWatch } from "../../sandbox/steering-files.ts";
import { createWorkdirOpener } from "../../sandbox/workdir-opener.ts";
import type { WorkdirRegistry } from "../../sandbox/workdir-registry.ts";
import type { ExecParts } from "../../tools/exec-parts.ts";
import { locateWorkdir } from "../../config/locate-workdir.ts";
import { createWalls } from "../../sandbox/walls/find-wall.ts";
import type { Network } from "./network.ts";

export interface ProgramRunnerParts {
  home: Home;
  config(): Config;
  environment: Readonly<Record<string, string | undefined>>;
  network: Pick<Network, "egress">;
  /** Takes secrets out of what is kept of programs. */
  redactor: Pick<Redactor, "text">;
  clock: Clock;
  ids: Ids;
  say: Say;
  keeper: WorkdirRegistry;
  /** Left out where nobody asks later who may have changed a file. */
  spans?: ProgramSpans | undefined;
  /** Whether a tainted turn left something in the workdir that the owner has not seen. Never throws. */
  hasUnseen?(workdir: string): Promise<boolean>;
  /** Whether this process goes on after a call, so that a program can. */
  lasts: boolean;
  /**
   * Told of each program whose end was promised to its session and which an earlier process took along or could not tell of; `text` is what the
   * session is to hear. Told again with the next start where it rejects.
   */
  onLost?(record: ProgramRecord, text: string): Promise<void>;
}

export interface ProgramRunner {
  programs: Programs;
  /** Never throws. */
  wall(): Promise<WallChoice>;
  execParts(workdir: string): ExecParts;
  /** Ends and notes what an earlier process left, if it left anything, and tells those who wait for it. Throws what the disk or the telling does. */
  recover(): Promise<void>;
  /** Safe to call twice. */
  close(): Promise<void>;
}

export function createProgramRunner(parts: ProgramRunnerParts): ProgramRunner {
  const { home, config, environment, keeper, clock, ids } = parts;
  const exec = () => config().tools.exec;
  const walls = createWalls(parts);
  const wall = () => walls(exec());
  const shells = createShells({ environment });
  let opened: Promise<Programs> | undefined;
  let proxy: Promise<EgressProxy> | undefined;
  /** By workdir: a few. */
  const searches = createRecent<ListedSearch>(mostSearches);

  /** Once, unless it fails: then the next who asks tries again. */
  const open = () =>
    (opened ??= load().catch((error: unknown) => {
      opened = undefined;
      throw failure(
        "internal/bug",
        "programs.not-loaded",
        {},
        { hint: "programs.not-loaded.hint", cause: error },
      );
    }));

  async function load(): Promise<Programs> {
    const { createPrograms } = await import("../../sandbox/programs/create-programs.ts");
    return createPrograms({
      directory: home.programsDir,
      clock,
      ids,
      redactor: parts.redactor,
      maxProcesses: () => exec().maxProcesses,
      spans: parts.spans,
      endOf,
    });
  }

  /** A wall of another kind than today's would not know the name. */
  async function endOf(record: ProgramRecord): Promise<void> {
    if (record.wall === undefined) return;
    const choice = await wall();
    if (choice.type === "walled" && choice.wall.kind === record.wall) await choice.wall.end?.(record.id);
  }

  const programs: Programs = {
    start: async (start) => (await open()).start(start),
    list: async (sessionKey) => (await open()).list(sessionKey),
    find: async (sessionKey, name) => (await open()).find(sessionKey, name),
    reapLost: async () => (await open()).reapLost(),
    untold: async () => (await open()).untold(),
    markTold: async (id) => (await open()).markTold(id),
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };

  /** A program without a single host to reach has no socket at all. */
  async function wayOut(): Promise<EnclosureNetwork> {
    const { allow } = exec().network;
    if (allow.length === 0) return { type: "none" };
    const { socket } = await openProxy();
    return { type: "broker", socket, hosts: allow };
  }

  /** Likewise. What went wrong names places of the home, which nobody outside needs to know. */
  const openProxy = () =>
    (proxy ??= loadProxy().catch((error: unknown) => {
      proxy = undefined;
      const hint = "programs.no-way-out.hint";
      throw failure("storage/unavailable", "programs.no-way-out", {}, { hint, cause: error });
    }));

  async function loadProxy(): Promise<EgressProxy> {
    const { openEgressProxy } = await import("../../sandbox/egress/proxy.ts");
    return openEgressProxy({
      egress: parts.network.egress,
      directory: join(home.root, "run"),
      allow: () => exec().network.allow,
    });
  }

  /** The origin of anybody who may have written their content. */
  function workdirs(): string[] {
    const { defaults, list } = config().agents;
    const place = { flag: undefined, cwd: home.root, environment, homeRoot: home.root };
    return [defaults, ...list].map(({ workspace }) => locateWorkdir({ ...place, configured: workspace }));
  }

  async function tellLost(): Promise<void> {
    for (const record of parts.onLost ? await programs.untold() : []) {
      const found = await programs.find(record.sessionKey, record.id);
      const output = (await found?.output()) ?? { text: "", dropped: 0 };
      await parts.onLost?.(record, endWords(record, output));
      await programs.markTold(record.id);
    }
  }

  async function enclosure(workdir: string, reach: "allowed" | "nowhere" = "allowed"): Promise<Enclosure> {
    const readable = exec().readable.map((path) => path.replace(/^~(?=\/|$)/, homeOf(environment)));
    return {
      workdir: keeper.same(workdir, await realpath(workdir)),
      readable: await Promise.all(readable.filter((path) => existsSync(path)).map((path) => realpath(path))),
      closed: [await realpath(home.root)],
      network: reach === "nowhere" ? { type: "none" } : await wayOut(),
    };
  }

  async function watch(
    workdir: string,
    byWall: "read-only" | "writable",
    guards: "steering" | "all",
  ): Promise<SteeringWatch> {
    const { watchSteeringFiles } = await import("../../sandbox/steering-files.ts");
    const opener = createWorkdirOpener({ workdir, closed: home.root, registry: keeper });
    const real = keeper.same(workdir, await realpath(workdir));
    const listed = guards === "all" ? { files: listedFiles, search: await searchIn(real) } : undefined;
    return watchSteeringFiles(
      { workdir: real, names: protectedNames, listed, opener, registry: keeper },
      byWall,
    );
  }

  /** Kept, so that only directories that have changed are read again. */
  async function searchIn(workdir: string): Promise<ListedSearch> {
    const known = searches.get(workdir);
    if (known) return known;
    const { createListedSearch } = await import("../../sandbox/listed-files.ts");
    const search = createListedSearch({ workdir, listed: listedFiles });
    searches.set(workdir, search);
    return search;
  }

  return {
    programs,
    wall,
    execParts: (workdir) => ({
      watch: (byWall, guards) => watch(workdir, byWall, guards),
      ...(parts.hasUnseen && { hasUnseen: () => parts.hasUnseen?.(workdir) ?? Promise.resolve(true) }),
      programs,
      shells,
      wall,
      enclosure: (reach) => enclosure(workdir, reach),
      workdir,
      registry: keeper,
      workdirs,
      lasts: parts.lasts,
      settings: exec,
      environment,
      home: homeOf(environment),
      clock,
    }),
    async recover() {
      if (!existsSync(home.programsDir)) return;
      await programs.reapLost();
      await tellLost();
    },
    async close() {
      await programs.close();
      const through = await proxy?.catch(() => undefined);
      proxy = undefined;
      await through?.close();
    },
  };
}

const homeOf = (environment: ProgramRunnerParts["environment"]): string => environment["HOME"] || homedir();

const mostSearches = 4;
