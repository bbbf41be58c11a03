/**
 * What a person needs after starting the gateway: its address, how to sign in, what is connected, and how to talk to
 * it.
 */
import type { Say } from "../../infra/texts.ts";

export interface WelcomeFacts {
  /** Undefined where it serves no HTTP. */
  address: string | undefined;
  /** An address is wanted and cannot be had yet. */
  isAwaited?: boolean;
  /** Undefined where there is nothing to sign in to. */
  link: string | undefined;
  /** Undefined where no model is chosen. */
  model: string | undefined;
  /** As `channel/account`. */
  channels: readonly string[];
}

export function welcomeLines(
  { address, isAwaited = false, link, model, channels }: WelcomeFacts,
  say: Say,
): string[] {
  const none = isAwaited ? "service.welcome.address-later" : "service.welcome.no-address";
  return [
    say("service.welcome.address", { address: address ?? say(none) }),
    ...(link === undefined ? [] : [say("service.welcome.link", { link })]),
    model === undefined ? say("service.welcome.no-model") : say("service.welcome.model", { model }),
    say("service.welcome.channels", { channels: channels.join(", ") || say("service.welcome.no-channels") }),
    say("service.welcome.chat"),
  ];
}
