/** Conversations as a command without a gateway reaches them: what it sends waits for the next gateway. */
import { readAccounts } from "../accounts.ts";
import { createReplies } from "../replies.ts";
import type { Config } from "../../config/schema.ts";
import type { OpenHome, OpenHomeParts } from "../../storage/home/open-home.ts";
import type { ConversationAccess } from "../../tools/conversation/conversation-access.ts";
import { createConversationAccess } from "./create-conversation-access.ts";

/** Fits every network; which one will send it is not known here. */
const textLimit = 2000;
const notAfterMs = 24 * 60 * 60_000;

export function accessWithoutGateway(
  openedHome: OpenHome,
  { redactor, say }: Pick<OpenHomeParts, "redactor" | "say">,
  config: () => Config,
): ConversationAccess {
  return createConversationAccess({
    ...openedHome,
    config,
    accounts: () => readAccounts(config().channels),
    redactor,
    say,
    replies: createReplies({ traitsOf: () => ({ textLimit }), clock: openedHome.clock, notAfterMs }),
  });
}
