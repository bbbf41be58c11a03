/** Why the gate decides as it does: the layers of a decision, and the labels of files and turns. */
import type { ExplainCall } from "../../gate/explain-call.ts";
import { failure } from "../../infra/failure.ts";
import { actorOf, type Api } from "./api.ts";
import type { FilePolicy } from "./file-policy.ts";
import { findSession, type FindSessionParts } from "./find-session.ts";

export interface PolicyApiParts extends FindSessionParts {
  explain: ExplainCall;
  files: FilePolicy;
}

const usual = 100;

export function createPolicyApi({ explain, files, ...parts }: PolicyApiParts): Api<"policy"> {
  return {
    explain: (request) => explain(request),
    async labels({ path, sessionKey, agentId, limit = usual }) {
      if (path !== undefined && sessionKey !== undefined)
        throw failure("usage/bad-argument", "policy.one-of", {}, { hint: "policy.one-of.hint" });
      if (path !== undefined) return { type: "files", ...(await files.labelsOf({ path, agentId }, limit)) };
      const session = await findSession(sessionKey, parts);
      const turns = await files.turnsOf(session, limit);
      return { type: "session", sessionKey: session.sessionKey, turns };
    },
    trust: (request, until) => files.trust(request, actorOf(until)),
    steering: (request) => files.steering(request),
    accept: (request, until) => files.accept(request, actorOf(until)),
  };
}
