import { Type, type Static } from "typebox";

const nick = "^[A-Za-z\\[\\]\\\\`_^{|}][A-Za-z0-9\\[\\]\\\\`_^{|}-]{0,29}$";
const channel = "^[#&+!][^\\s,\\x07]{1,49}( [^\\s,]{1,50})?$";
const secret = (description: string) => Type.Optional(Type.String({ description }));

export const ircConfig = Type.Object({
  server: Type.String({ minLength: 1, description: "Server, such as irc.libera.chat." }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 6697, description: "Port of the server." }),
  tls: Type.Boolean({ default: true, description: "Whether the connection is encrypted." }),
  nick: Type.String({ pattern: nick, description: "Nick of the assistant." }),
  channels: Type.Array(Type.String({ pattern: channel }), {
    default: [],
    description: 'Channels to join, such as "#home", or "#home key" where one needs a key.',
  }),
  account: Type.Optional(Type.String({ pattern: "^\\S+$", description: "Account; the nick if left out." })),
  password: secret("Password of the account, as secret:NAME."),
  login: Type.Union([Type.Literal("sasl"), Type.Literal("nickserv")], {
    default: "sasl",
    description: "How to log in; nickserv only where the server has nothing better.",
  }),
  serverPassword: secret("Password of the server itself, as secret:NAME."),
  formatting: Type.Boolean({ default: false, description: "Whether bold, italics and code are shown." }),
  paceMs: Type.Integer({ minimum: 0, maximum: 1000, default: 1000, description: "Milliseconds per line." }),
});

export type IrcConfig = Static<typeof ircConfig>;
