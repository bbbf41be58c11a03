/** Why a gateway closes a WebSocket; each code follows a frame that explains it in words. */
export const closeCodes = {
  goingAway: 1001,
  notText: 1003,
  tooLarge: 1009,
  tooLate: 4001,
  unauthorized: 4003,
  tooSlow: 4008,
  tooMany: 4029,
} as const;

/** For people; it says what to do next. */
const meanings: Record<number, string> = {
  1001: "The gateway stops; connect again in a moment.",
  1003: "Frames are text.",
  1009: "Too large, or too much before connect.",
  4001: "connect came too late.",
  4003: "Sign in again.",
  4008: "Read faster, or subscribe to less.",
  4029: "Too many connections; try again later.",
} satisfies Record<(typeof closeCodes)[keyof typeof closeCodes], string>;

/** Also explains codes that are not ours. */
export const meaningOfClose = (code: number): string => meanings[code] ?? "The connection was lost.";
