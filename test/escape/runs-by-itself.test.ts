/** Programs of a tainted turn leave nothing changed that runs by itself outside every wall; git itself goes on working. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listedFiles } from "../../src/policy/listed-files.ts";
import { runsNothing } from "../../src/policy/runs-nothing.ts";
import { createListedSearch } from "../../src/sandbox/listed-files.ts";
import { watchSteeringFiles } from "../../src/sandbox/steering-files.ts";
import { createWorkdirOpener } from "../../src/sandbox/workdir-opener.ts";
import { createWorkdirRegistry } from "../../src/sandbox/workdir-registry.ts";
import { bubblewrapHere, createCell, landlockHere, users, type Cell } from "./cell.ts";

const tricks = [
  "echo evil > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout",
  "echo evil >> .git/config",
  "git config core.fsmonitor ./evil",
  "git config core.hooksPath evil",
  "rm -f .git/config; printf '[core]\\n\\tfsmonitor = evil\\n' > .git/config",
  "mv .git g; git init -q; printf '[core]\\n\\tpager = evil\\n' >> .git/config",
  "mv .git/hooks h; mkdir .git/hooks; echo evil > .git/hooks/pre-commit",
  "rm -rf .git/hooks; ln -s ../evil .git/hooks",
  "echo '* filter=evil' > .git/info/attributes",
  "mv .git g; mkdir -p x/hooks; echo evil > x/hooks/pre-commit; echo 'gitdir: x' > .git",
  "mv .git g; ln -s g .git; echo evil > g/hooks/pre-commit",
  "git init -q sub/repo; echo evil > sub/repo/.git/hooks/pre-commit",
  "mkdir -p a/b/c/d/e/f; git init -q a/b/c/d/e/f; git -C a/b/c/d/e/f config core.sshCommand evil",
  "mkdir -p node_modules/x; git init -q node_modules/x; git -C node_modules/x config core.pager evil",
  "echo evil >> nested/.git/config",
  "rm -rf nested/.git/hooks; mkdir nested/.git/hooks; echo evil > nested/.git/hooks/pre-push",
  "mv nested n; git init -q nested; echo evil > nested/.git/hooks/pre-push",
  "echo evil >> .vscode/settings.json; echo evil > .vscode/tasks.json",
  "rm -rf .vscode; mkdir evil; echo evil > evil/tasks.json; ln -s evil .vscode",
  "mkdir -p .github/workflows; echo evil > .github/workflows/ci.yml",
  "mkdir gh; mv .github/* gh/ 2>/dev/null; ln -s gh .github; mkdir gh/workflows; echo evil > gh/workflows/x.yml",
  "echo evil > .envrc; echo evil > sub/.envrc; echo evil > .npmrc; echo evil > Jenkinsfile",
  "mkdir .husky; echo evil > .husky/pre-commit; chmod 311 .husky",
  "mkdir -p .config/fish; echo evil > .config/fish/config.fish; echo evil > .bashrc",
  "echo evil > x; ln x .envrc; ln -f x .vscode/settings.json",
  "echo evil > x; mv -f x .vscode/settings.json",
  'perl -e \'open F, "+<", ".git/config"; print F "evil"\'',
  "unshare -Ur sh -c 'mount -o remount,rw,bind .git/config; echo evil >> .git/config'; umount .git/config; echo evil >> .git/config",
  "(sleep 0.1; echo evil > .envrc) & wait",
];

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args], {
    cwd,
    stdio: "pipe",
  });

/** All that is on the list, by path, with what it holds. */
async function listing(workdir: string): Promise<Record<string, string>> {
  const { roots } = await createListedSearch({ workdir, listed: listedFiles }).find();
  const found: Record<string, string> = {};
  async function take(path: string): Promise<void> {
    const stat = await lstat(join(workdir, path));
    if (stat.isDirectory())
      for (const name of await readdir(join(workdir, path))) await take(`${path}/${name}`);
    else if (stat.isSymbolicLink()) found[path] = `-> ${await readlink(join(workdir, path))}`;
    else {
      const text = await readFile(join(workdir, path), "utf8");
      found[path] = runsNothing(path, text) ? "nothing" : createHash("sha256").update(text).digest("hex");
    }
  }
  for (const root of roots) await take(root);
  return found;
}

/** What would run, now and not before. */
const newIn = (now: Record<string, string>, before: Record<string, string>) =>
  Object.entries(now).filter(([path, held]) => held !== "nothing" && before[path] !== held);

for (const build of [bubblewrapHere, landlockHere])
  for (const user of users.slice(-1)) {
    const cell = await createCell(user, build);
    describe.skipIf(!cell)(`${build.name}, as ${user}`, () => {
      let made: Cell;
      beforeAll(() => {
        if (cell) made = cell;
      });
      afterAll(() => cell?.remove());
      beforeEach(async () => {
        await rm(made.workdir, { recursive: true });
        for (const path of ["nested", ".vscode", "sub"])
          await mkdir(join(made.workdir, path), { recursive: true, mode: 0o777 });
        await writeFile(join(made.workdir, ".vscode/settings.json"), "{}");
        for (const path of [".", "nested"]) {
          git(join(made.workdir, path), "init", "-q", "-b", "main");
          // So that it is more than what git writes by itself.
          git(join(made.workdir, path), "config", "core.pager", "less");
        }
        await writeFile(join(made.workdir, "README.md"), "Hello.");
        git(made.workdir, "add", "README.md");
        git(made.workdir, "commit", "-qm", "first");
        await made.give();
      });

      async function run(script: string) {
        const registry = createWorkdirRegistry();
        const { workdir } = made;
        const opener = createWorkdirOpener({ workdir, closed: made.home, registry });
        const search = createListedSearch({ workdir, listed: listedFiles });
        const parts = { workdir, names: [], listed: { files: listedFiles, search }, opener, registry };
        const watch = await watchSteeringFiles(
          parts,
          made.wall.kind === "landlock" ? "writable" : "read-only",
        );
        const environment = {
          GIT_CONFIG_NOSYSTEM: "1",
          GIT_CONFIG_COUNT: "3",
          GIT_CONFIG_KEY_0: "user.name",
          GIT_CONFIG_VALUE_0: "Ada",
          GIT_CONFIG_KEY_1: "user.email",
          GIT_CONFIG_VALUE_1: "ada@example.org",
          GIT_CONFIG_KEY_2: "safe.directory",
          GIT_CONFIG_VALUE_2: "*",
        };
        const said = await made.run(script, { enclosure: { readOnly: watch.there }, environment });
        const putBack = await watch.inspect();
        watch.end();
        return { ...said, putBack };
      }

      it.each(tricks)("SAFE-04 after %s nothing runs by itself that did not before", async (trick) => {
        const before = await listing(made.workdir);
        expect(newIn(before, {}).length).toBeGreaterThan(2);
        const { status } = await run(`${trick}; exit 7`);
        expect(status).toBe(7);
        expect(newIn(await listing(made.workdir), before)).toEqual([]);
      });

      it("leaves a program what git does by itself, and repositories that it makes", async () => {
        const script = [
          "set -e",
          "git checkout -q -b work",
          "echo more >> README.md",
          "git commit -qam second",
          "git stash list",
          "git checkout -q main",
          "git merge -q work",
          "git tag v1",
          "git clone -q . copy",
          "git init -q fresh",
          "git -C copy log --oneline | wc -l",
        ].join("; ");
        expect(await run(script)).toEqual({ status: 0, text: "2\n", putBack: [] });
        expect(await readFile(join(made.workdir, "copy/README.md"), "utf8")).toBe("Hello.more\n");
      });
    });
  }
