/**
 * How the gate names a file in its store. What lies in Pincer's own home is named by its place in there, so that a home that
 * is moved keeps what it knows.
 */
import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { isInside } from "../../sandbox/is-inside.ts";

export interface FilePlaces {
  /** Of a real path. */
  of(real: string): string;
  /** Of a directory in which a program may write: everywhere, if the home is in it. */
  ofRoot(real: string): string;
  /** Whether it lies in the home. */
  isInHome(real: string): boolean;
  /** The path, for people. */
  pathOf(place: string): string;
}

const mark = "home:";

export function createFilePlaces(homeRoot: string): FilePlaces {
  const home = realOf(homeRoot);
  const of = (real: string) => (isInside(real, home) ? `${mark}/${relative(home, real)}` : real);
  return {
    of,
    ofRoot: (real) => (isInside(home, real) && real !== home ? "" : of(real)),
    isInHome: (real) => isInside(real, home),
    pathOf: (place) => (place.startsWith(mark) ? join(home, place.slice(mark.length)) : place),
  };
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there yet: nothing leads elsewhere.
    return path;
  }
}
