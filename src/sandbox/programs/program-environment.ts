/** The environment of a program: a few variables, and those that the owner listed. */

export interface EnvironmentParts {
  /** Pincer's own. */
  environment: Readonly<Record<string, string | undefined>>;
  /** The owner's list; `AWS_*` matches a prefix. */
  listed: readonly string[];
  path: string;
  /** What the program is to take for its home. */
  home: string;
  shell: string;
  cwd: string;
}

export function programEnvironment(parts: EnvironmentParts): Record<string, string> {
  const { environment, listed, path, home, shell, cwd } = parts;
  const seen: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined && mayPass(name, listed)) seen[name] = value;
  return { ...seen, PATH: path, HOME: home, SHELL: shell, PWD: cwd, TERM: "xterm-256color" };
}

function mayPass(name: string, listed: readonly string[]): boolean {
  if (steers(name)) return false;
  if (isUsual(name) || listed.includes(name)) return true;
  const isMeant = listed.some((each) => each.endsWith("*") && name.startsWith(each.slice(0, -1)));
  return isMeant && !looksSecret(name);
}

const isUsual = (name: string): boolean => /^(?:LANG|LANGUAGE|LC_[A-Z]+|TZ|USER|LOGNAME)$/.test(name);

/** Whether a program always sees it, or it differs each time. */
export const isUsualVariable = (name: string): boolean =>
  isUsual(name) || ["PATH", "HOME", "SHELL", "PWD", "TERM"].includes(name);

/** These make a program or its shell run something else: never passed, listed or not. */
const steers = (name: string): boolean =>
  /^(?:LD_|DYLD_|BASH_|PINCER_)|^(?:ENV|SHELLOPTS|PS4|IFS|PROMPT_COMMAND|ZDOTDIR|NODE_OPTIONS|PERL5OPT|PERL5LIB|PYTHONSTARTUP|PYTHONINSPECT|RUBYOPT|JAVA_TOOL_OPTIONS|GIT_SSH_COMMAND|GCONV_PATH)$/.test(
    name,
  );

export const looksSecret = (name: string): boolean =>
  /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH|COOKIE|SESSION|PRIVATE/i.test(name);
