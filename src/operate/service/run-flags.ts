/** The flags of `gateway run` and `gateway start`: laid over the config for that run alone, also when the config changes meanwhile. */
import type { Config } from "../../config/schema.ts";
import type { TurnWishes } from "../../agent/turns/turn-wishes.ts";

type Layer = Config["gateway"]["default"];

export interface RunFlags {
  provider?: string;
  profile?: string;
  withTools?: boolean;
  toolAllow?: string[];
  toolMaxSteps?: number;
  memory?: boolean;
  pairingPolicy?: Layer["pairingPolicy"];
  pairingAllowFrom?: string[];
  pairingPendingTtlMs?: number;
  pairingPendingMax?: number;
  port?: number;
  /** One of the config's words for it, or an address of this machine. */
  bind?: string;
  http?: boolean;
}

const binds: readonly string[] = ["loopback", "lan", "tailnet", "auto", "custom"];

/** What a channel's own layer could say otherwise. */
const perChannel = [
  "profile",
  "withTools",
  "toolAllow",
  "toolMaxSteps",
  "memory",
  "pairingPolicy",
  "pairingPendingTtlMs",
  "pairingPendingMax",
] as const;

/** Values by config path. */
export function flagValues(flags: RunFlags): Record<string, unknown> {
  const { port, bind, http, provider, pairingAllowFrom } = flags;
  const values: Record<string, unknown> = {
    "gateway.port": port,
    "gateway.http": http,
    ...(bind !== undefined && !binds.includes(bind)
      ? { "gateway.bind": "custom", "gateway.host": bind }
      : { "gateway.bind": bind }),
    "gateway.default.provider": provider,
    "gateway.default.pairingAllowFrom": pairingAllowFrom,
  };
  for (const name of perChannel) {
    values[`gateway.default.${name}`] = flags[name];
    values[`gateway.channels.*.${name}`] = flags[name];
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** For turns that come from no channel, and say nothing about it themselves. */
export function flagWishes(flags: RunFlags): TurnWishes {
  const { provider, profile, memory, withTools, toolAllow, toolMaxSteps } = flags;
  const isAboutTools = withTools !== undefined || toolAllow !== undefined || toolMaxSteps !== undefined;
  return {
    ...(provider ? { provider } : {}),
    ...(profile ? { credential: profile } : {}),
    ...(memory === undefined ? {} : { memory }),
    ...(isAboutTools
      ? {
          tools: {
            enabled: withTools ?? true,
            allow: toolAllow ?? [],
            ...(toolMaxSteps === undefined ? {} : { maxSteps: toolMaxSteps }),
          },
        }
      : {}),
  };
}
