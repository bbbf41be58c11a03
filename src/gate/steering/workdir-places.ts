/** What the place of a file says about it, beyond its name. */
import { relative, resolve } from "node:path";
import { hooksPathsIn } from "../../policy/hooks-path.ts";
import { isInside } from "../../sandbox/is-inside.ts";
import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";
import type { JudgeWriteParts } from "./judge-write.ts";

export type PlaceFiles = Pick<WorkdirFiles, "root" | "reach" | "read" | "stamp">;

const mostConfigBytes = 64 * 1024;

export function placesIn(files: PlaceFiles): Pick<JudgeWriteParts, "isOutside" | "alsoRuns"> {
  /** Directories that the config of a repository names for its hooks, from the workdir. */
  async function hooksOf(repository: string): Promise<string[]> {
    const config = repository === "" ? ".git/config" : `${repository}/.git/config`;
    if (files.stamp(config) === "") return [];
    // Git does not read either what cannot be read.
    const found = await files.read(config, mostConfigBytes).catch(() => ({ text: "" }));
    return hooksPathsIn(found.text).map((path) =>
      relative(files.root, resolve(files.root, repository, path)),
    );
  }

  return {
    isOutside: (path) => files.reach === "everywhere" && !isInside(resolve(files.root, path), files.root),
    async alsoRuns(path) {
      const way = relative(files.root, resolve(files.root, path));
      const names = way.split("/");
      for (const [depth] of names.entries())
        for (const hooks of await hooksOf(names.slice(0, depth).join("/")))
          if (isInside(resolve(files.root, way), resolve(files.root, hooks))) return true;
      return false;
    },
  };
}
