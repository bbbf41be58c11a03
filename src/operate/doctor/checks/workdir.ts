import { access, constants, realpath, stat } from "node:fs/promises";
import { ensureDir } from "../../../config/home.ts";
import { isInside } from "../../../sandbox/is-inside.ts";
import { agentSettings } from "../../../agent/agent-settings.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import { byRepair, type Check, type Finding } from "../check.ts";

/** Whether the directory that the tools work in is there and can be written to, and whether agents have theirs to themselves. */
export function checkWorkdir({ say, config, workdir }: ExaminedHome): Check {
  const isAbsent = (path: string) =>
    stat(path).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === "ENOENT",
    );
  return {
    id: "workdir",
    title: say("doctor.workdir"),
    async check() {
      return [...(await lookAt(await workdir())), ...(await nested())];
    },
    async fix() {
      const path = await workdir();
      if (!(await isAbsent(path))) return [];
      ensureDir(path);
      return [say("doctor.made", { path })];
    },
  };

  async function lookAt(path: string): Promise<Finding[]> {
    if (await isAbsent(path)) {
      return [{ level: "warning", message: say("doctor.workdir.absent", { path }), ...byRepair(say) }];
    }
    try {
      if (!(await stat(path)).isDirectory()) throw new Error(say("doctor.workdir.no-directory"));
      await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
      return [{ level: "ok", message: path }];
    } catch (error) {
      const message = say("doctor.workdir.unusable", { path, reason: (error as Error).message });
      return [{ level: "problem", message, next: say("doctor.workdir.next") }];
    }
  }

  /** One agent's tools reach what another's workdir is made of, and could put a link in its place. */
  async function nested(): Promise<Finding[]> {
    const { config: current } = await config();
    const ids = ["main", ...current.agents.list.map(({ id }) => id)];
    const named = await Promise.all(
      [...new Set(ids)].map(async (id) => ({
        id,
        path: await realOf(await workdir(agentSettings(current, id).workspace)),
      })),
    );
    const pairs = named.flatMap((inner) => named.map((outer) => ({ inner, outer })));
    return pairs
      .filter(({ inner, outer }) => inner.path !== outer.path && isInside(inner.path, outer.path))
      .map(({ inner, outer }) => ({
        level: "warning",
        message: say("doctor.workdir.nested", {
          inner: inner.id,
          innerPath: inner.path,
          outer: outer.id,
          outerPath: outer.path,
        }),
        next: say("doctor.workdir.nested.next"),
      }));
  }
}

/** As far as it is there. */
async function realOf(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
