/** What the assistant's next request contains, for its owner. */
import type { ContextPartView } from "@pincer/sdk";
import { failure } from "../../infra/failure.ts";
import type { DescribeContext } from "../../agent/context/context-description.ts";
import type { Api } from "./api.ts";
import { routeOf, type FindSessionParts } from "./find-session.ts";

export interface ContextApiParts extends FindSessionParts {
  describe: DescribeContext;
}

export function createContextApi(parts: ContextApiParts): Api<"context"> {
  const { sessions } = parts.openedHome.stores;

  /** A main session can be looked at before anything was said in it; any other has to be there. */
  async function requestFor(
    session: string | undefined,
    agentId: string | undefined,
  ): Promise<Parameters<DescribeContext>[0]> {
    const byId = session === undefined ? undefined : await sessions.get(session);
    if (byId) return { sessionId: byId.sessionId, sessionKey: byId.sessionKey, agentId: byId.agentId };
    const route = routeOf(
      {
        ...(session === undefined ? {} : { sessionKey: session }),
        ...(agentId === undefined ? {} : { agentId }),
      },
      parts,
    );
    const { sessionKey } = route;
    const active = await sessions.findActive(parts.openedHome.workspaceId, sessionKey);
    if (!active && route.scope.conversation.type !== "main") {
      throw failure(
        "session/not-found",
        "failure.no-session",
        { id: session ?? sessionKey },
        { hint: "context.no-session.hint" },
      );
    }
    return {
      sessionKey,
      agentId: route.agentId,
      ...(active ? { sessionId: active.sessionId } : {}),
    };
  }

  return {
    async show({ sessionKey: session, agentId, text }) {
      const described = await parts.describe(await requestFor(session, agentId));
      if (text !== undefined && !described.parts.some((part) => hasText(part, text))) {
        const known = described.parts.filter((part) => part.text !== undefined).map(({ name }) => name);
        const parameters = { part: text, known: [...new Set(known)].join(", ") || "-" };
        throw failure("usage/not-found", "context.no-part", parameters, { hint: "context.no-part.hint" });
      }
      return { ...described, parts: described.parts.map((part) => withoutText(part, text)) };
    },
  };
}

const hasText = (part: ContextPartView, name: string): boolean =>
  part.name === name && part.text !== undefined;

/** Texts are large: only the one that was asked for travels. */
function withoutText(part: ContextPartView, asked: string | undefined): ContextPartView {
  if (part.name === asked) return part;
  const { text: _text, ...rest } = part;
  return rest;
}
