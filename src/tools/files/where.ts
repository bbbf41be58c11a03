import type { WorkdirFiles } from "../../sandbox/workdir-files.ts";

/** What a tool says of the places it reaches: aloud where they are not confined to the workdir. */
export const whereOf = ({ reach }: Pick<WorkdirFiles, "reach">): string =>
  reach === "workdir" ? "of the workdir" : "(anywhere; relative paths are in the workdir)";
