import { homedir } from "node:os";
import { resolve } from "node:path";

/**
 * Where the agent works: the flag (relative to where the user is), else the config. There `~` is the user's
 * own home, and `~/.pincer` is Pincer's, wherever PINCER_HOME has moved it.
 */
export function locateWorkdir(place: {
  flag: string | undefined;
  configured: string | undefined;
  cwd: string;
  environment: Record<string, string | undefined>;
  homeRoot: string;
}): string {
  if (place.flag) return resolve(place.cwd, place.flag);
  const configured = place.configured || "~/.pincer/workspace";
  const own = /^~\/\.pincer(?:\/|$)/.exec(configured);
  if (own) return resolve(place.homeRoot, configured.slice(own[0].length));
  const tilde = place.environment["HOME"] || homedir();
  return resolve(place.homeRoot, configured.replace(/^~(?=\/|$)/, tilde));
}
