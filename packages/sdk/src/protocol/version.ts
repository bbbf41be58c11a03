/** The constants that both ends of a connection share. */
export const protocolVersion = 1;

/** A larger frame ends the connection. */
export const largestFrameBytes = 8 * 1024 * 1024;
