/** The commands of a chat, for completing what is typed. They are run by saying them, like anything else. */
import { createSay, type Say } from "../../infra/texts.ts";
import { reachOf } from "../../routing/asker.ts";
import { commandFacts } from "../../routing/command-registry.ts";
import type { Api } from "./api.ts";

export const createCommandsApi = ({ say }: { say: Say }): Api<"commands"> => ({
  async list({ language }, until) {
    const reach = until?.caller && reachOf(until.caller);
    return { commands: commandFacts(language ? createSay(language) : say, undefined, reach) };
  },
});
