/** Why the gate decides as it does: the layers of a decision, and the labels of files and turns. */
import { grantedIn } from "../../gate/grants/granted.ts";
import { contactsOf } from "../../gate/grants/places.ts";
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
    async granted({ runId, sessionKey, limit = usual }) {
      const { stores } = parts.openedHome;
      const shown = { stores, contacts: contactsOf(parts.config()) };
      if (runId !== undefined) {
        const turn = await stores.turns.get(runId);
        if (!turn) throw failure("message/not-found", "runs.none", { id: runId }, { hint: "runs.none.hint" });
        return { turns: [await grantedIn(shown, turn)] };
      }
      const session = await findSession(sessionKey, parts);
      const turns = await stores.turns.list({ limit, sessionKey: session.sessionKey });
      const found = await Promise.all(turns.map((turn) => grantedIn(shown, turn)));
      return { turns: found.filter(({ planner, grants }) => planner !== "not-needed" || grants.length > 0) };
    },
    trust: (request, until) => files.trust(request, actorOf(until)),
    steering: (request) => files.steering(request),
    accept: (request, until) => files.accept(request, actorOf(until)),
  };
}
