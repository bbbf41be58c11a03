/** Other conversations as a command reaches them that runs by itself: what it sends waits for the next gateway. */
import { readAccounts } from "../accounts.ts";
import { createReplies } from "../replies.ts";
import type { Config } from "../../config/schema.ts";
import type { OpenHome, OpenHomeParts } from "../../storage/home/open-home.ts";
import type { ConversationDoors } from "../../tools/conversation/conversation-doors.ts";
import { createConversationDoors } from "./create-conversation-doors.ts";

/** What any network carries: the one that will is not looked at here. */
const textLimit = 2000;
const notAfterMs = 24 * 60 * 60_000;

export function doorsWithoutGateway(
  openedHome: OpenHome,
  { redactor, say }: Pick<OpenHomeParts, "redactor" | "say">,
  config: () => Config,
): ConversationDoors {
  return createConversationDoors({
    ...openedHome,
    config,
    accounts: () => readAccounts(config().channels),
    redactor,
    say,
    replies: createReplies({ traitsOf: () => ({ textLimit }), clock: openedHome.clock, notAfterMs }),
  });
}
