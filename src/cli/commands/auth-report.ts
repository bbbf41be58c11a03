import { asPincerError } from "@pincer/sdk";
import { printJson, type CommandContext } from "../command.ts";

/**
 * Like `context.run`; with `--json` wrong usage is reported in a document as well, because scripts read nothing else.
 */
export const runWithReport =
  (context: CommandContext): CommandContext["run"] =>
  (action) =>
    context.run(async (...args) => {
      try {
        return await action(...args);
      } catch (error) {
        const { domain, code, message, hint } = asPincerError(error);
        const isJson = args.some((each) => (each as { json?: unknown } | undefined)?.json === true);
        if (domain === "usage" && isJson)
          printJson(context.terminal, {
            error: { code, message, ...(hint ? { hint: context.typed(hint) } : {}) },
          });
        throw error;
      }
    });
