export { telegramChannel } from "./telegram-channel.ts";
