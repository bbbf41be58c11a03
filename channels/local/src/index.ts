export { localChannel } from "./local-channel.ts";
