/** How another machine can reach the gateway, with the commands for this one. */
import type { ReachAddress, ReachView } from "@pincer/sdk";
import type { TextKey } from "../../texts/texts.ts";

export interface Advice {
  key: TextKey;
  parameters?: Record<string, string | number>;
  commands: string[];
  /** Whether the page can do it by itself. */
  canSwitch?: true;
  isGood?: true;
}

/** Those that a link can lead to: one that was called must have led here. The safest first. */
export function usableAddresses({ addresses }: Pick<ReachView, "addresses">): ReachAddress[] {
  const usable = addresses.filter(({ leads }) => leads === null || leads === "here");
  return usable.toSorted((one, other) => rank(one) - rank(other));
}

/** Whether a phone can come in without anybody reading along. */
export const isReachable = (view: Pick<ReachView, "addresses">): boolean =>
  usableAddresses(view).some(({ isSecure }) => isSecure);

const rank = ({ isSecure, kind }: ReachAddress): number => (isSecure ? 0 : kind === "local" ? 1 : 2);

export function tailscaleAdvice(view: ReachView): Advice {
  const { machine, tailscale, authentication, addresses } = view;
  const { state, carries, wanted, name } = tailscale;
  const on = addresses.find(({ kind }) => kind === "tailscale");
  if (on && state === "running") {
    return {
      key: "access.tailscale.on",
      parameters: { address: on.address },
      commands: [],
      ...(on.leads === "here" || on.leads === null ? { isGood: true } : {}),
    };
  }
  const here = { machine };
  if (authentication === "none") {
    return {
      key: "access.tailscale.open",
      commands: ["pincer config set gateway.auth.mode token"],
    };
  }
  if (state === "missing") {
    return { key: "access.tailscale.missing", parameters: here, commands: ["sudo tailscale up"] };
  }
  if (state === "down")
    return { key: "access.tailscale.down", parameters: here, commands: ["sudo tailscale up"] };
  if (state === "unclear")
    return { key: "access.tailscale.unclear", parameters: here, commands: ["tailscale status"] };
  if (carries === "elsewhere") {
    return {
      key: "access.tailscale.elsewhere",
      commands: ["tailscale serve status", "tailscale serve --https=443 off"],
    };
  }
  if (wanted !== "off") {
    return { key: "access.tailscale.wanted", parameters: here, commands: ["pincer gateway restart"] };
  }
  return {
    key: "access.tailscale.running",
    parameters: { name: name ?? machine },
    commands: ["pincer config set gateway.tailscale serve"],
    canSwitch: true,
  };
}

export const tunnelCommands = ({ port, machine }: Pick<ReachView, "port" | "machine">): string[] => [
  `ssh -N -L ${port ?? 18_650}:127.0.0.1:${port ?? 18_650} ${machine}`,
];

/** `name` is typed by a person: only a valid host name goes into a command. */
export function proxyCommands(
  name: string,
  { port, allowedHosts, trustedProxies }: Pick<ReachView, "port" | "allowedHosts" | "trustedProxies">,
): { proxy: string[]; config: string[] } {
  const host = hostIn(name) ?? "pincer.example.com";
  return {
    proxy: [`caddy reverse-proxy --from ${host} --to 127.0.0.1:${port ?? 18_650}`],
    config: [
      `pincer config set gateway.allowedHosts '${JSON.stringify([...new Set([...allowedHosts, host])])}'`,
      `pincer config set gateway.trustedProxies '${JSON.stringify([...new Set([...trustedProxies, "127.0.0.1"])])}'`,
    ],
  };
}

/** Undefined if it is no host name: nothing else may go into a command. */
export function hostIn(text: string): string | undefined {
  const name = text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/.*$/, "")
    .toLowerCase();
  return /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+(?::\d{1,5})?$/.test(name)
    ? name
    : undefined;
}
