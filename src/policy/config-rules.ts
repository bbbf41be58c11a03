/**
 * The config's rules about tools besides its lists: modes, per-conversation rules, sensitive conversations, and the
 * edition's grants.
 */
import type { ToolVisibility } from "@pincer/sdk";
import type { Config } from "../config/schema.ts";
import type { ToolRule } from "./tool-access.ts";

type RuledConfig = Pick<Config, "edition" | "tools">;

/** For one place. Pure. */
export function configRules({ edition, tools }: RuledConfig, place: ToolVisibility): ToolRule[] {
  const { modes, sessions, sensitive } = tools;
  return [
    ...Object.entries(modes).map(([name, mode]): ToolRule => {
      const source = `tools.modes.${name}`;
      return mode === "deny"
        ? { type: "deny", source, names: [name] }
        : { type: "mode", source, names: [name], mode };
    }),
    ...Object.entries(sessions).flatMap(([key, { allow = [], deny = [] }]): ToolRule[] => {
      if (!isMeant(key, place)) return [];
      const source = `tools.sessions[${key}]`;
      return [
        { type: "deny", source: `${source}.deny`, names: deny },
        { type: "only", source: `${source}.allow`, names: allow },
      ];
    }),
    ...(isSensitive({ tools }, place)
      ? [{ type: "deny" as const, source: "tools.sensitive", names: sensitive.deny }]
      : []),
    // A service for many users allows only what is granted; a personal assistant allows what is safe.
    ...(edition === "enterprise" ? [{ type: "granted" as const, source: "edition", names: [] }] : []),
  ];
}

/** Whether the contents of a conversation must stay on this machine. Pure. */
export const isSensitive = ({ tools }: Pick<Config, "tools">, place: ToolVisibility): boolean =>
  tools.sensitive.sessions.some((key) => isMeant(key, place));

const isMeant = (key: string, { sessionKey, channel, chatId }: ToolVisibility): boolean =>
  key === sessionKey || (chatId !== undefined && key === `${channel ?? ""}:${chatId}`);
