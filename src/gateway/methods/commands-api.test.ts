import { describe, expect, it } from "vitest";
import { commandNames } from "../../routing/command-registry.ts";
import { createApiStage, ways } from "../../app/testing/api-stage.ts";

describe.each(ways)("the commands API %s", (way) => {
  it("CLI-28 lists every command, in the language that is asked for", async () => {
    const { apis } = await createApiStage(way);
    const { commands } = await apis.commands.list({ language: "zh" });
    expect(commands.map(({ name }) => name)).toEqual(commandNames);
    expect(commands.find(({ name }) => name === "deny")).toMatchObject({ help: "拒绝请求", ownerOnly: true });
  });
});
