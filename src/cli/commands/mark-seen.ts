import type { Command } from "commander";
import type { AskAnswer } from "../../routing/ask-turn.ts";
import type { CommandContext } from "../command.ts";
import { withApi } from "./with-api.ts";

/** The owner was shown all that a turn changed. Never throws: then the next use of it asks. */
export async function markSeen(
  { changes, sessionKey }: Pick<AskAnswer, "changes" | "sessionKey">,
  place: { program: Command; context: CommandContext },
): Promise<void> {
  if (!changes) return;
  const { turnId } = changes;
  await withApi("undo", place, ({ api }) => api.seen({ turnId, sessionKey })).catch(() => {});
}
