/** Other conversations as a command reaches them that runs by itself: what it sends waits for the next gateway. */
import { readAccounts } from "../../channels/accounts.ts";
import { createReplies } from "../../channels/replies.ts";
import type { Config } from "../../config/schema.ts";
import type { Ground, GroundParts } from "../open-ground.ts";
import type { ConversationDoors } from "../../tools/conversation/conversation-doors.ts";
import { createConversationDoors } from "./create-conversation-doors.ts";

/** What any network carries: the one that will is not looked at here. */
const textLimit = 2000;
const notAfterMs = 24 * 60 * 60_000;

export function doorsWithoutGateway(
  ground: Ground,
  { redactor, say }: Pick<GroundParts, "redactor" | "say">,
  config: () => Config,
): ConversationDoors {
  return createConversationDoors({
    ...ground,
    config,
    accounts: () => readAccounts(config().channels),
    redactor,
    say,
    replies: createReplies({ traitsOf: () => ({ textLimit }), clock: ground.clock, notAfterMs }),
  });
}
