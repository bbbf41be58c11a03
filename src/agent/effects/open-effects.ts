import type { Tool } from "@pincer/sdk";
import type { Home } from "../../config/home.ts";
import type { Config } from "../../config/schema.ts";
import type { Secrets } from "../../config/secrets.ts";
import type { Clock } from "../../infra/clock.ts";
import type { Ids } from "../../infra/ids.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import type { ProgramRecord } from "../../sandbox/programs/program.ts";
import { createWorkdirRegistry } from "../../sandbox/workdir-registry.ts";
import { createExecTool } from "../../tools/exec.ts";
import { createProcessTool } from "../../tools/process.ts";
import { createHttpRequestTool } from "../../tools/web/http-request.ts";
import { createWebFetchTool } from "../../tools/web/web-fetch.ts";
import { createWebSearchTool } from "../../tools/web/web-search.ts";
import type { Effects } from "./effects.ts";
import { createNetwork, type WayOut } from "./network.ts";
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
  /** Told what went wrong where nobody waits. */
  onError(error: unknown): void;
}

/** Quick: what takes time or memory is loaded with the first need. */
export function openEffects(parts: EffectsParts): Effects {
  const { config, clock } = parts;
  const network = createNetwork(parts);
  const keeper = createWorkdirRegistry();
  const programs = createProgramRunner({
    ...parts,
    network,
    keeper,
    lasts: parts.gateway !== undefined,
    ...(parts.gateway && { onLost: parts.gateway.tellLost }),
  });
  const undo = createUndo({ ...parts, registry: keeper });

  function toolsIn(workdir: string): Tool[] {
    const { web } = config().tools;
    const { egress, pages } = network;
    const search = createWebSearchTool({
      settings: web.search,
      egress,
      readSecret: (text) => parts.secrets.resolve(text),
      pages,
      clock,
    });
    return [
      createExecTool(programs.execParts(workdir)),
      createProcessTool({ programs: programs.programs, clock }),
      createHttpRequestTool({ egress }),
      ...(web.fetch.enabled ? [createWebFetchTool({ egress, pages, maxChars: web.fetch.maxChars })] : []),
      ...(search ? [search] : []),
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
    keeper,
    stamp,
    keep: undo.keep,
    removed: undo.removed,
    turnEnded: undo.turnEnded,
    snapshots: undo.snapshots,
    wall: programs.wall,
    async recover() {
      await Promise.all([programs.recover(), undo.recover()].map((work) => work.catch(parts.onError)));
    },
    tidy: undo.tidy,
    async close() {
      await programs.close();
      await undo.settled();
      await network.close();
    },
  };
}
