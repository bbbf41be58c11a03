export { createHandClock, type HandClock } from "./hand-clock.ts";
