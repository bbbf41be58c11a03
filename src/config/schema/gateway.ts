import { Type } from "typebox";
import { defaultConfig } from "../default-config.ts";
import { choice, count, flag, named, people, secretText, section, text, texts } from "./keys.ts";

const defaults = defaultConfig.gateway;
const policies: Array<"open" | "allowlist" | "pairing" | "disabled"> = [
  "open",
  "allowlist",
  "pairing",
  "disabled",
];

/** What one channel may say differently from the layer for all channels. */
const gatewayChannelSection = section("How the gateway answers on this one channel; over gateway.default.", {
  profile: Type.Optional(text("Credential that the gateway's turns use.")),
  withTools: Type.Optional(flag("Whether turns may use tools.")),
  toolAllow: Type.Optional(texts("Only these tools; empty means the policy's default.")),
  toolMaxSteps: Type.Optional(count("Tool steps before a turn asks whether to go on.", { minimum: 1 })),
  memory: Type.Optional(flag("Whether sessions start with memory switched on.")),
  pairingPolicy: Type.Optional(choice("Who may write to the assistant directly.", policies)),
  pairingAllowFrom: Type.Optional(people("Who is allowed without pairing.")),
  pairingPendingTtlMs: Type.Optional(
    count("How long a pairing code waits, in milliseconds.", { minimum: 1 }),
  ),
  pairingPendingMax: Type.Optional(count("How many pairing requests wait at once.", { minimum: 1 })),
});

export const gatewaySection = section("The process that receives messages and answers them.", {
  port: count("Port of the page and the API.", { minimum: 1, maximum: 65_535, default: defaults.port }),
  bind: choice(
    "Where it listens; anything but loopback needs authentication.",
    ["loopback", "lan", "tailnet", "auto", "custom"],
    { default: defaults.bind },
  ),
  host: Type.Optional(text('Address to listen on when bind is "custom".')),
  trustedProxies: texts("Proxies whose forwarded-for headers are believed.", {
    default: defaults.trustedProxies,
  }),
  auth: section("How callers prove that they may call.", {
    mode: choice("What callers show.", ["token", "password", "none"], { default: defaults.auth.mode }),
    token: Type.Optional(secretText("Token of the home; made once when it is not set.")),
    password: Type.Optional(secretText("Password for the page.")),
  }),
  default: section("What holds for all channels.", {
    provider: Type.Optional(text("Model provider of the gateway's turns; not allowed per channel.")),
    ...gatewayChannelSection.properties,
    withTools: flag("Whether turns may use tools.", { default: defaults.default.withTools }),
    pairingPolicy: choice("Who may write to the assistant directly.", policies, {
      default: defaults.default.pairingPolicy,
    }),
    pairingAllowFrom: people("Who is allowed without pairing.", {
      default: defaults.default.pairingAllowFrom,
    }),
    pairingPendingTtlMs: count("How long a pairing code waits, in milliseconds.", {
      minimum: 1,
      default: defaults.default.pairingPendingTtlMs,
    }),
    pairingPendingMax: count("How many pairing requests wait at once.", {
      minimum: 1,
      default: defaults.default.pairingPendingMax,
    }),
  }),
  channels: named("What one channel does differently, by channel name.", gatewayChannelSection, {
    default: defaults.channels,
  }),
});
