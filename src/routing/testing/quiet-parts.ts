/** An empty tape and empty rules, for tests of commands. */
import type { OpenSession } from "../../storage/stores.ts";
import type { RuleCommandParts } from "../rule-command.ts";
import type { TapeCommandParts } from "../tape-commands.ts";

/** `done` is told of what would have changed something. */
export const quietParts = (
  session: Pick<OpenSession, "sessionKey">,
  done: string[],
): Pick<TapeCommandParts, "tape"> & Pick<RuleCommandParts, "rulebook"> => ({
  tape: {
    info: async () => ({
      sessionKey: session.sessionKey,
      sessionId: "s_1",
      state: "active",
      since: "2026-01-01T12:00:00.000Z",
      entries: 3,
      messages: 2,
      anchors: 0,
      summaries: 0,
      lastMark: null,
      shown: { from: 2, messages: 2, tokens: 9 },
    }),
    marks: async () => [],
    search: async () => ({ hits: [], searchedBackTo: null }),
    async handOffIn(_session, { name = "handoff-1", summary = "" }) {
      done.push("handoff");
      return { sessionId: "s_1", seq: 4, time: "2026-01-01T12:00:00.000Z", name, summary };
    },
  },
  rulebook: {
    add: async () => {
      throw new Error("nobody sets a rule here");
    },
    list: async () => [],
    remove: async () => {
      throw new Error("nobody removes a rule here");
    },
  },
});
