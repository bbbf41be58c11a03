export { ircChannel } from "./irc-channel.ts";
