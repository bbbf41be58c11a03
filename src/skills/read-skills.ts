/**
 * The skills of a workdir: their names and descriptions. Their bodies stay on disk until the agent reads one. A file
 * that cannot be used is skipped with the reason, for people to see; it never affects the others.
 */
import type { WorkdirFiles } from "../sandbox/workdir-files.ts";
import { parseSkill } from "./parse-skill.ts";

export interface Skill {
  name: string;
  description: string;
  /** Relative to the workdir, as the tool that reads files takes it. */
  path: string;
}

export interface SkillsFound {
  /** By name. */
  skills: Skill[];
  skipped: Array<{ path: string; reason: string }>;
}

/** Of two skills with one name, the one in the place named first here is the one. */
const places = [".agent/skills", "skills"] as const;
const mostSkills = 100;
const mostNames = 300;
const mostBytes = 64 * 1024;
const tooMany = { reason: `more than ${mostSkills} skills` };

/** Never throws; a workdir without skills has none. */
export async function readSkills(files: Pick<WorkdirFiles, "list" | "read">): Promise<SkillsFound> {
  const found = new Map<string, Skill>();
  const skipped: SkillsFound["skipped"] = [];
  const skip = (path: string, reason: string) => void skipped.push({ path, reason });

  for (const place of places) {
    for (const path of await pathsIn(files, place, skip)) {
      const skill = found.size < mostSkills ? await readSkill(files, path) : tooMany;
      const earlier = "name" in skill ? found.get(skill.name) : undefined;
      if ("reason" in skill) skip(path, skill.reason);
      else if (earlier) skip(path, `${earlier.path} has the same name`);
      else found.set(skill.name, skill);
    }
  }
  const skills = [...found.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { skills, skipped };
}

/** Where skills may be, whether they can be used or not. Never throws. */
export async function listSkillPaths(files: Pick<WorkdirFiles, "list">): Promise<string[]> {
  const paths = await Promise.all(places.map((place) => pathsIn(files, place, () => {})));
  return paths.flat();
}

/** Where skills may be: `<name>/SKILL.md` for what is or may lead to a directory, and `<name>.md`. */
async function pathsIn(
  files: Pick<WorkdirFiles, "list">,
  place: string,
  skip: (path: string, reason: string) => void,
): Promise<string[]> {
  try {
    const { names, truncated } = await files.list(place, 1, mostNames);
    if (truncated) skip(place, `more than ${mostNames} names`);
    return names
      .filter((name) => !name.startsWith(".") && name.toLowerCase() !== "readme.md")
      .map((name) => (/\.md$/i.test(name) ? name : `${name.replace(/\/$/, "")}/SKILL.md`))
      .map((name) => `${place}/${name}`);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason !== `${place} does not exist`) skip(place, reason);
    return [];
  }
}

async function readSkill(
  files: Pick<WorkdirFiles, "read">,
  path: string,
): Promise<Skill | { reason: string }> {
  try {
    const { text } = await files.read(path, mostBytes);
    const skill = await parseSkill(text, fallbackName(path));
    return "reason" in skill ? skill : { ...skill, path };
  } catch (error) {
    return { reason: reasonOf(error) };
  }
}

/** `skills/weather/SKILL.md` and `skills/weather.md` are both `weather`. */
const fallbackName = (path: string): string =>
  path
    .replace(/\/SKILL\.md$/, "")
    .replace(/\.md$/i, "")
    .replace(/^.*\//, "");

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
