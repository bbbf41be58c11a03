import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";

/** Says in a tool's description which places it reaches, if not only the workdir. */
export const whereOf = ({ reach }: Pick<WorkdirFiles, "reach">): string =>
  reach === "workdir" ? "of the workdir" : "(anywhere; relative paths are in the workdir)";
