import { defineTool, type Tool } from "@pincer/sdk";
import { Type } from "typebox";
import { oneLine, shorten } from "../../infra/one-line.ts";
import { isOwner, type SessionAccess, type SessionLine, type TurnCounts } from "./conversation-access.ts";

const usual = 20;
const mostTitle = 60;

export const createSessionsListTool = ({ list }: Pick<SessionAccess, "list">): Tool =>
  defineTool({
    name: "sessions_list",
    effect: "read",
    controls: {},
    resultOrigin: "session",
    description: "List conversations of this agent: key, title, last activity, state.",
    input: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      search: Type.Optional(Type.String()),
    }),
    isVisible: isOwner,
    async run({ limit = usual, search }, call) {
      const sessions = await list({ limit, search }, call);
      return { text: sessions.map(lineOf).join("\n") || "no sessions", details: { sessions } };
    },
  });

/** The title is quoted and on one line: others choose it, and it must not look like anything else. */
function lineOf({ session, sessionKey, title, lastActivity, state, turns }: SessionLine): string {
  const called = title === undefined ? [] : [JSON.stringify(shorten(oneLine(title), mostTitle))];
  const was = session === sessionKey ? [] : [`of ${sessionKey}`];
  const doing = turnWords(turns);
  const how = [state, ...(doing === "" ? [] : [doing])].join(", ");
  return [session, ...was, ...called, `${lastActivity.slice(0, 16)}Z`, how].join(" ");
}

/** Empty if nothing is in progress. */
export const turnWords = (turns: TurnCounts): string =>
  (["running", "waiting", "queued"] as const)
    .filter((state) => turns[state] > 0)
    .map((state) => `${turns[state]} ${state}`)
    .join(", ");
