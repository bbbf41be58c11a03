import { safeFileName } from "../../infra/safe-file-name.ts";

/** Whether a session id may name a file: nothing in it can lead out of its directory or mean something to the file system. */
export function isSafeSessionId(id: string): boolean {
  return /^[a-z0-9][a-z0-9_-]{0,99}$/.test(id) && safeFileName(id) === id;
}
