import { defineTool } from "@pincer/sdk";
import { Type } from "typebox";

export const createEchoTool = () =>
  defineTool({
    name: "tools_echo",
    aliases: ["tools.echo", "echo"],
    effect: "read",
    controls: {},
    resultOrigin: "system",
    description: "Return the given text unchanged; for trying out tool calls.",
    input: Type.Object({ text: Type.String() }),
    run: async ({ text }) => ({ text, details: { text } }),
  });
