/** The page's one connection to its gateway, and the session that it uses. */
import { createGatewayLink, type GatewayLink, type LinkState } from "@pincer/sdk/client";

declare const PINCER_VERSION: string;

export const pageVersion = PINCER_VERSION;

/** What the gateway says about the visitor. */
export type Standing =
  | { type: "in"; role: string }
  | { type: "out"; asks: string }
  /** Nobody answers. */
  | { type: "away" };

export async function askStanding(signal?: AbortSignal): Promise<Standing> {
  try {
    const response = await fetch("/api/me", { signal: signal ?? null });
    const me = (await response.json()) as { signedIn?: boolean; asks?: string; role?: string };
    return me.signedIn === true
      ? { type: "in", role: me.role ?? "" }
      : { type: "out", asks: me.asks ?? "token" };
  } catch {
    return { type: "away" };
  }
}

/** False where the gateway did not say that it is over. */
export async function endSession(): Promise<boolean> {
  const headers = { "content-type": "application/json" };
  try {
    return (await fetch("/api/sign-out", { method: "POST", headers, body: "{}" })).ok;
  } catch {
    return false;
  }
}

export interface PageLinkParts {
  onState(state: LinkState): void;
  onGap(): void;
}

export function openLink({ onState, onGap }: PageLinkParts): GatewayLink {
  const url = new URL("/ws", location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return createGatewayLink({
    url: url.href,
    WebSocket,
    client: { name: "page", version: pageVersion },
    onState,
    onGap,
  });
}
