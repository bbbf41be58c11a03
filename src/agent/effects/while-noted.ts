import { realpath } from "node:fs/promises";
import type { Tool } from "@pincer/sdk";
import type { ProgramSpans } from "../../sandbox/programs/program.ts";

/**
 * A tool from outside, which may write files without a word: what is changed in the workdir while it runs may be its
 * work. One that only reads is left as it is.
 */
export function whileNoted(tool: Tool, spans: ProgramSpans, workdir: string): Tool {
  if (tool.effect === "read") return tool;
  return {
    ...tool,
    async run(input, call) {
      const real = await realpath(workdir).catch(() => undefined);
      const end = await spans.began(real === undefined ? "everywhere" : { below: real });
      try {
        // It has been a while since that was looked at.
        call.signal.throwIfAborted();
        return await tool.run(input, call);
      } finally {
        await end();
      }
    },
  };
}
