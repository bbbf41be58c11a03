/** An error as the system would make it, for what is found out before the system is asked. */
export const errno = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });
