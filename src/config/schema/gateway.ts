import { Type } from "typebox";
import { defaultConfig } from "../default-config.ts";
import {
  addressText,
  choice,
  count,
  flag,
  hosts,
  named,
  people,
  secretText,
  section,
  text,
  texts,
} from "./keys.ts";

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
  port: count("Port of the page and the API; 0 takes any that is free.", {
    maximum: 65_535,
    default: defaults.port,
  }),
  bind: choice(
    "Where it listens; anything but loopback needs authentication.",
    ["loopback", "lan", "tailnet", "auto", "custom"],
    { default: defaults.bind },
  ),
  host: Type.Optional(text('Address to listen on when bind is "custom".')),
  trustedProxies: texts("Proxies whose forwarded-for headers are believed.", {
    default: defaults.trustedProxies,
  }),
  http: flag(
    "Whether the page, the API and WebSocket are served; without it there is only the socket of the home.",
    {
      default: defaults.http,
    },
  ),
  allowedHosts: hosts("Names under which it may be called, besides this machine's own.", {
    default: defaults.allowedHosts,
  }),
  allowedOrigins: texts('Pages of other places that may speak to it, as "https://host".', {
    default: defaults.allowedOrigins,
  }),
  auth: section("How callers prove that they may call.", {
    mode: choice(
      "What the page asks for, besides one-time codes and known devices; none lets everybody on this machine in.",
      ["token", "password", "none"],
      { default: defaults.auth.mode },
    ),
    token: Type.Optional(secretText("Token of the home; made once when it is not set.")),
    password: Type.Optional(secretText("Password for the page.")),
    sessionHours: count("Hours until a browser that is not used has to sign in again.", {
      minimum: 1,
      default: defaults.auth.sessionHours,
    }),
    jwt: Type.Optional(
      section("Signed tokens of an identity provider that are let in.", {
        issuer: text("Who signs them, as in their iss."),
        audience: text("Whom they must be made for, as in their aud."),
        jwksUrl: Type.Optional(addressText("Where the keys are published.")),
        jwksFile: Type.Optional(text("File with the keys, instead of an address.")),
        roleClaim: Type.Optional(text("Claim that names roles; roles unless it is given.")),
        roles: Type.Optional(
          named(
            "Which role a value of that claim means; one that is not listed here means nothing.",
            choice("Role.", ["owner", "admin", "developer", "viewer", "auditor"]),
          ),
        ),
        agentsClaim: Type.Optional(text("Claim that lists the agents the caller is confined to.")),
        accessDays: Type.Optional(
          count(
            "Days that a token, a device or a browser is good at most which such a caller let in; 30 unless it is given.",
            { minimum: 1, maximum: 3650 },
          ),
        ),
        denied: Type.Optional(
          texts("Subjects (sub) who are not let in, nor anything that they have let in."),
        ),
      }),
    ),
  }),
  limits: section("How much one caller may ask for; the rest is refused until later.", {
    perAddress: count("Requests a minute from one address that has not signed in.", {
      minimum: 1,
      default: defaults.limits.perAddress,
    }),
    perUser: count("Requests a minute of one caller.", { minimum: 1, default: defaults.limits.perUser }),
    perChannel: count("Messages a minute that one channel's account may bring in.", {
      minimum: 1,
      default: defaults.limits.perChannel,
    }),
    perTenant: count("Requests and messages a minute in all.", {
      minimum: 1,
      default: defaults.limits.perTenant,
    }),
    signInTries: count(
      "Wrong tokens, passwords and codes a minute from one address; ten times as many from all.",
      {
        minimum: 1,
        default: defaults.limits.signInTries,
      },
    ),
    connections: count("Connections at once.", { minimum: 1, default: defaults.limits.connections }),
    connectionsPerAddress: count(
      "Connections at once from one address on which nobody has signed in; this machine and trusted proxies are not counted.",
      { minimum: 1, default: defaults.limits.connectionsPerAddress },
    ),
    bodyBytes: count("Largest body of a request.", { minimum: 1024, default: defaults.limits.bodyBytes }),
    frameBytes: count("Largest frame over WebSocket.", {
      minimum: 1024,
      default: defaults.limits.frameBytes,
    }),
  }),
  deafSeconds: count("Seconds without a sign from its network after which a channel counts as deaf.", {
    minimum: 5,
    default: defaults.deafSeconds,
  }),
  openMetrics: flag("Whether /metrics is told to everybody who can reach it.", {
    default: defaults.openMetrics,
  }),
  discovery: section("How others on the network find it.", {
    bonjour: flag("Whether it announces itself on the local network.", {
      default: defaults.discovery.bonjour,
    }),
  }),
  tailscale: choice(
    "Whether Tailscale carries it: to the owner's own devices (serve) or to everybody (funnel).",
    ["off", "serve", "funnel"],
    { default: defaults.tailscale },
  ),
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
