import { timestamp, type Clock } from "../../infra/clock.ts";

/** The time as a part of a file name: sorts by time, and every file system takes it. */
export const fileStamp = (clock: Clock): string => timestamp(clock).replaceAll(/[:.]/g, "-");
