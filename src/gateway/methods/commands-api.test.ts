import { describe, expect, it } from "vitest";
import { commandNames } from "../../routing/command-registry.ts";
import { createSay } from "../../infra/texts.ts";
import { ownerCaller, type WayIn } from "../../policy/caller.ts";
import { createApiStage, ways } from "../../app/testing/api-stage.ts";
import { createCommandsApi } from "./commands-api.ts";

describe.each(ways)("the commands API %s", (way) => {
  it("CLI-28 lists every command, in the language that is asked for", async () => {
    const { apis } = await createApiStage(way);
    const { commands } = await apis.commands.list({ language: "zh" });
    expect(commands.map(({ name }) => name)).toEqual(commandNames);
    expect(commands.find(({ name }) => name === "deny")).toMatchObject({ help: "拒绝请求", ownerOnly: true });
  });
});

it("offers a browser no command that works elsewhere only", async () => {
  const api = createCommandsApi({ say: createSay("en") });
  const offered = async (way: WayIn) => {
    const until = { signal: new AbortController().signal, caller: ownerCaller("t_default", way) };
    return (await api.list({}, until)).commands.map(({ name }) => name);
  };
  const elsewhere = ["signin", "browsers"];
  expect(await offered("socket")).toEqual(commandNames);
  expect(await offered("code")).toEqual(commandNames.filter((name) => !elsewhere.includes(name)));
});
