/** An error like the system's, for what we detect before asking it. */
export const errno = (code: string): NodeJS.ErrnoException => Object.assign(new Error(code), { code });
