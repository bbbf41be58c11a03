import { defineTool } from "@pincer/sdk";
import { Type } from "typebox";

export const createPwdTool = (workdir: string) =>
  defineTool({
    name: "shell_pwd",
    aliases: ["shell.pwd", "pwd"],
    effect: "read",
    controls: {},
    resultOrigin: "system",
    description: "Tell the workdir's path.",
    input: Type.Object({}),
    run: async () => ({ text: workdir, details: { path: workdir } }),
  });
