/**
 * The reason of an abort that nobody asks about: a timer that is no longer needed, a race that is over. Made once, because the reason that
 * the platform makes by itself carries a stack trace, which costs more than the timer.
 */
export const noLonger: Error = new Error("no longer needed");
