/** Which tools exist, and whether the caller may use them here. */
import type { Tool } from "@pincer/sdk";
import type { Decision } from "../../policy/decision.ts";
import type { CommandContext } from "../command.ts";
import type { CommandServices } from "../router.ts";
import type { ToolStanding } from "../tool-commands.ts";
import type { TurnSetups } from "../../agent/turns/set-up-turn.ts";

export function createToolStandings({
  setups,
}: {
  setups: Pick<TurnSetups, "byHand">;
}): CommandServices["tools"] {
  async function standingsFor({ session, destination, person }: CommandContext) {
    const { sessionKey, agentId, origin } = session;
    const place = { sessionKey, destination, channel: origin.channel, person, wishes: {} };
    const { standings } = await setups.byHand(agentId, place, "listed");
    return standings();
  }

  return {
    list: async (context) => (await standingsFor(context)).map(standing),
    async describe(name, context) {
      const found = (await standingsFor(context)).find(
        ({ tool }) => tool.name === name || tool.aliases.includes(name),
      );
      return found && { ...standing(found), input: found.tool.input };
    },
  };
}

const standing = ({ tool, decision }: { tool: Tool; decision: Decision }): ToolStanding => ({
  name: tool.name,
  description: tool.description,
  verdict: decision.verdict,
  reasons: decision.verdict === "allow" ? [] : decision.reasons,
});
