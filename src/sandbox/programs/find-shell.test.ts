import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createShells } from "./find-shell.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "pincer-shell-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

async function shell(name: string, text = "#!/bin/sh\n"): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, text);
  await chmod(file, 0o755);
  return file;
}

describe("the shell that reads commands", () => {
  it("SHELL-03 is the configured one, then the login shell, then the system's", async () => {
    const login = await shell("zsh");
    const configured = await shell("mine");
    const shells = createShells({ environment: {}, loginShell: () => login });
    expect(await shells.inOrder(configured)).toEqual([configured, login, "/bin/bash", "/bin/sh"]);
    expect(await shells.inOrder(undefined)).toEqual([login, "/bin/bash", "/bin/sh"]);
  });

  it("is no login shell that speaks another language, and none that is not there", async () => {
    const fish = await shell("fish");
    for (const login of [fish, join(directory, "bash"), "/usr/sbin/nologin", "bash"])
      expect(await createShells({ environment: {}, loginShell: () => login }).inOrder(undefined)).toEqual([
        "/bin/bash",
        "/bin/sh",
      ]);
  });

  it("is what the environment says where the list of users says nothing", async () => {
    const login = await shell("ksh");
    const shells = createShells({ environment: { SHELL: login }, loginShell: () => undefined });
    expect((await shells.inOrder(undefined))[0]).toBe(login);
  });
});

describe("the PATH of a login shell", () => {
  const withAnswer = (
    answer: string | Error,
    environment: Record<string, string> = { PATH: "/inherited" },
  ) => {
    let asked = 0;
    const ask = async () => {
      asked++;
      if (answer instanceof Error) throw answer;
      return answer;
    };
    return { shells: createShells({ environment, loginShell: () => "/bin/sh", ask }), asked: () => asked };
  };

  it("is asked once, whatever else the shell prints", async () => {
    const { shells, asked } = withAnswer("Welcome!\nPATH-OF-LOGIN-SHELL=/a/bin:/b/bin\nbye\n");
    expect(await shells.path([])).toBe("/a/bin:/b/bin");
    expect(await shells.path([])).toBe("/a/bin:/b/bin");
    expect(asked()).toBe(1);
  });

  it("is Pincer's own where the shell does not answer, and the usual one where there is none", async () => {
    expect(await withAnswer(new Error("too slow")).shells.path([])).toBe("/inherited");
    expect(await withAnswer("nonsense").shells.path([])).toBe("/inherited");
    expect(await withAnswer("", {}).shells.path([])).toBe("/usr/local/bin:/usr/bin:/bin");
  });

  it("holds no directory that is another one elsewhere", async () => {
    expect(await withAnswer("PATH-OF-LOGIN-SHELL=.:/a::bin:/b:").shells.path([])).toBe("/a:/b");
  });

  it("is asked of a real one, which sees no key of Pincer's", async () => {
    const login = await shell(
      "sh",
      '#!/bin/sh\nprintf \'PATH-OF-LOGIN-SHELL=/from/%s/%s\\n\' "$1" "${API_KEY:-none}"\n',
    );
    const shells = createShells({ environment: { PATH: "/bin", API_KEY: "x" }, loginShell: () => login });
    expect(await shells.path([])).toBe("/from/-lc/none");
  });

  describe("where a workdir holds what a login shell runs", () => {
    const answer = "PATH-OF-LOGIN-SHELL=/asked";
    const pathWith = (home: string, workdirs: string[]) =>
      withAnswer(answer, { PATH: "/inherited", HOME: home }).shells.path(workdirs);

    it("SAFE-04 is Pincer's own: nothing that was written there is run outside the wall", async () => {
      const work = join(directory, "work");
      await mkdir(join(work, "home"), { recursive: true });
      await symlink(work, join(directory, "link"));
      expect(await pathWith(work, [work])).toBe("/inherited");
      expect(await pathWith(join(work, "home"), [work])).toBe("/inherited");
      expect(await pathWith(join(directory, "link", "home"), [work])).toBe("/inherited");
      expect(await pathWith(work, [join(directory, "link")])).toBe("/inherited");
      expect(await pathWith(work, [join(directory, "other"), work])).toBe("/inherited");
    });

    it("is so for a file that a link brings from there", async () => {
      const [home, work] = [join(directory, "home"), join(directory, "dotfiles")];
      await Promise.all([mkdir(home), mkdir(work)]);
      await writeFile(join(work, "profile"), "");
      await symlink(join(work, "profile"), join(home, ".profile"));
      expect(await pathWith(home, [work])).toBe("/inherited");
    });

    it("is not so for a workdir that merely lies in one's home", async () => {
      expect(await pathWith(directory, [join(directory, "work")])).toBe("/asked");
    });
  });
});
