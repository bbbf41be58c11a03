import { createRulebook, type Rulebook } from "../policy/rules/rulebook.ts";
import type { RuleStore } from "../storage/rules/rules.ts";
import { createBuiltInTools } from "./built-in-tools.ts";
import { createAgentWorkspace } from "./agents/agent-workspace.ts";
import type { OpenHome } from "../storage/home/open-home.ts";

/** The rulebook over the stores, which knows the tools that come with Pincer by all of their names. */
export function openRulebook({
  stores,
  clock,
  home,
}: Pick<OpenHome, "clock" | "home"> & { stores: { rules: RuleStore } }): Rulebook {
  let tools: ReturnType<typeof createBuiltInTools> | undefined;
  const isToolName = (name: string): boolean => {
    // Only their names are asked for: they never run, so it does not matter where.
    tools ??= createBuiltInTools({
      clock,
      agentWorkspace: createAgentWorkspace({
        workdir: home.root,
        homeRoot: home.root,
        clock,
        timezone: "UTC",
        layout: "flat",
      }),
    });
    return tools.find(name) !== undefined;
  };
  return createRulebook({ rules: stores.rules, isToolName });
}
