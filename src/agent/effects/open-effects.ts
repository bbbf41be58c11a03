import type { Tool } from "@pincer/sdk";
import type { Home } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import type { Secrets } from "../../config/secrets.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import type { ProgramRecord, ProgramSpans } from "../../sandbox/programs/program.ts";
import { createDryCopies } from "../../sandbox/dry-copies.ts";
import { createWorkdirRegistry } from "../../sandbox/workdir-registry.ts";
import { createExecTool } from "../../tools/exec.ts";
import { createProcessTool } from "../../tools/process.ts";
import { createHttpRequestTool } from "../../tools/web/http-request.ts";
import { createResearchTool, type SendScout } from "../../tools/web/research.ts";
import { createWebFetchTool } from "../../tools/web/web-fetch.ts";
import { createWebSearchTool } from "../../tools/web/web-search.ts";
import type { Effects } from "./effects.ts";
import { createNetwork, type Network, type WayOut } from "./network.ts";
import { createProgramRunner } from "./program-runner.ts";
import { createUndo } from "../../sandbox/snapshots/open-undo.ts";

export interface EffectsParts {
  home: Home;
  /** As it is now. */
  config(): Config;
  secrets: Pick<Secrets, "resolve">;
  environment: Readonly<Record<string, string | undefined>>;
  redactor: Pick<Redactor, "text">;
  clock: Clock;
  ids: Ids;
  say: Say;
  /** A gateway, which goes on; left out, a command, with which all that it started ends. */
  gateway?: {
    /** Has the session of a program that was lost hear of it: `text` is what it is to hear. Told again with the next start where it rejects. */
    tellLost(record: ProgramRecord, text: string): Promise<void>;
  };
  wayOut?: WayOut | undefined;
  /** Notes when programs may change files; left out where nobody asks. */
  spans?: ProgramSpans | undefined;
  /** Told what went wrong where nobody waits. */
  onError(error: unknown): void;
}

/** Quick: what takes time or memory is loaded with the first need. */
export function openEffects(parts: EffectsParts): Effects {
  const { config, clock } = parts;
  const network = createNetwork(parts);
  const keeper = createWorkdirRegistry();
  const copies = createDryCopies({
    directory: parts.home.dryRunsDir,
    closed: parts.home.root,
    now: clock.now,
  });
  const undo = createUndo({ ...parts, registry: keeper });
  const programs = createProgramRunner({
    ...parts,
    network,
    keeper,
    hasUnseen: undo.hasUnseen,
    lasts: parts.gateway !== undefined,
    ...(parts.gateway && { onLost: parts.gateway.tellLost }),
  });

  function readingTools(egress: Network["egress"]): Tool[] {
    const { web } = config().tools;
    const { pages } = network;
    const search = createWebSearchTool({
      settings: web.search,
      egress,
      readSecret: (text) => parts.secrets.resolve(text),
      pages,
      clock,
    });
    return [
      ...(web.fetch.enabled ? [createWebFetchTool({ egress, pages, maxChars: web.fetch.maxChars })] : []),
      ...(search ? [search] : []),
    ];
  }

  function toolsIn(workdir: string, sendScout?: SendScout): Tool[] {
    const reading = readingTools(network.egress);
    return [
      createExecTool(programs.execParts(workdir)),
      createProcessTool({ programs: programs.programs, clock }),
      createHttpRequestTool({ egress: network.egress }),
      ...reading,
      ...(reading.length > 0 ? [createResearchTool({ send: sendScout })] : []),
    ];
  }

  /** A config that has changed is another object. */
  let stamped: { config: Config; stamp: string } | undefined;
  function stamp(): string {
    const now = config();
    if (stamped?.config !== now) stamped = { config: now, stamp: JSON.stringify(now.tools.web) };
    return stamped.stamp;
  }

  return {
    toolsIn,
    scoutTools: () => readingTools(network.publicEgress),
    keeper,
    stamp,
    keep: undo.keep,
    removed: undo.removed,
    changedBy: undo.changedBy,
    unseen: undo.unseen,
    copies,
    turnEnded(turnId) {
      undo.turnEnded(turnId);
      void copies.drop(turnId);
    },
    snapshots: undo.snapshots,
    wall: programs.wall,
    async recover() {
      // What programs have left is ended first: until then it may write.
      const ofPrograms = programs.recover().then(() => parts.spans?.endGone());
      await Promise.all([ofPrograms, undo.recover()].map((work) => work.catch(parts.onError)));
    },
    tidy: undo.tidy,
    async close() {
      await programs.close();
      await undo.settled();
      await copies.settled();
      await network.close();
    },
  };
}
