import { defineTool, type Tool } from "@pincer/sdk";
import { Type } from "typebox";
import { granted, isOwner, type FoundSession, type SessionAccess } from "./conversation-access.ts";

/** Sends the same text once per turn, so a call that a crash interrupted can be repeated. */
export const createSessionsSendTool = ({
  find,
  send,
  shown,
}: Pick<SessionAccess, "find" | "send" | "shown">): Tool =>
  defineTool({
    name: "sessions_send",
    effect: "act",
    resultOrigin: "system",
    idempotent: true,
    controls: { session: "recipient" },
    leaves: ["text"],
    description: "Say something in another conversation of this agent; it is answered there.",
    input: Type.Object({
      session: Type.String({ description: "As sessions_list names it" }),
      text: Type.String({ maxLength: 20_000 }),
    }),
    isVisible: isOwner,
    async describe({ session, text }, call) {
      const found = granted(await find(session, call));
      return {
        shown: shown({ session: found, text }),
        exact: exactly(found, text),
        recipient: `session:${found.sessionKey}`,
      };
    },
    async run({ session, text }, call) {
      const found = granted(await find(session, call));
      if (call.exact !== undefined && call.exact !== exactly(found, text))
        throw new Error("this is not what the owner said yes to: it would be read elsewhere by now");
      const { sessionKey, isNew } = granted(await send({ session, text }, call));
      const said = isNew ? "on its way to" : "said before in this turn, not again, in";
      return { text: `${said} ${sessionKey}`, details: { sessionKey, isNew } };
    },
  });

/** The place where its answer is read counts, too. */
const exactly = ({ sessionKey, destination }: FoundSession, text: string): string =>
  JSON.stringify(["sessions_send", sessionKey, destination, text]);
