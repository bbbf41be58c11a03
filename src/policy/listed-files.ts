/** The list of what runs by itself, as programs are watched by it. */
import { dirname, posix } from "node:path";
import type { ListedFiles } from "../sandbox/listed-files.ts";
import { hooksPathsIn } from "./hooks-path.ts";
import { leadsToListed, listedRoot, mayBeListed } from "./listed-path.ts";
import { runsNothing } from "./runs-nothing.ts";

export const listedFiles: ListedFiles = {
  rootOf: listedRoot,
  mayBe: mayBeListed,
  leadsTo: leadsToListed,
  runsNothing,
  async declaredIn(path, read) {
    if (!/(?:^|\/)\.git\/config$/i.test(path)) return [];
    const repository = dirname(dirname(path));
    return hooksPathsIn(await read()).map((hooks) =>
      hooks.startsWith("/") ? hooks : posix.join(repository, hooks),
    );
  },
};
