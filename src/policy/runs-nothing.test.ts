import { describe, expect, it } from "vitest";
import { isPlainGitConfig, runsNothing } from "./runs-nothing.ts";

const cloned = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
[remote "origin"]
	url = https://git.example/ada/notes.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main
`;

describe("a config of git that a program made anew", () => {
  it("is left alone as git itself writes it", () => {
    expect(isPlainGitConfig(cloned)).toBe(true);
    expect(isPlainGitConfig("")).toBe(true);
    expect(
      isPlainGitConfig(cloned.replace("https://git.example/ada/notes.git", "git@git.example:ada/x.git")),
    ).toBe(true);
    expect(isPlainGitConfig(cloned.replace("https://git.example/ada/notes.git", "/srv/git/x.git"))).toBe(
      true,
    );
    expect(isPlainGitConfig("[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n# a remark\n")).toBe(
      true,
    );
  });

  it.each([
    "[core]\n\tfsmonitor = ./x",
    "[core]\n\thooksPath = x",
    "[core] fsmonitor = ./x",
    "[CORE]\n\tFsMonitor = x",
    "[core]\n\tsshCommand = x",
    "[core]\n\tpager = x",
    "[core]\n\tworktree = ../..",
    '[filter "a"]\n\tclean = x',
    '[diff "a"]\n\ttextconv = x',
    "[alias]\n\tst = !x",
    "[include]\n\tpath = ../x",
    '[includeIf "gitdir:/"]\n\tpath = x',
    "[credential]\n\thelper = !x",
    '[remote "o"]\n\turl = ext::sh -c x',
    '[remote "o"]\n\turl = --upload-pack=x',
    '[remote "o"]\n\turl = ssh://-oProxyCommand=x/a',
    '[remote "o"]\n\tuploadpack = x',
    '[remote "o"]\n\tvcs = x',
    '[url "x"]\n\tinsteadOf = https://',
    "[core.x]\n\tbare = false",
    "[core]\n\tbare = fa\\\nlse",
    '[core]\n\tbare = "x"',
    "\tbare = false",
    "[core",
    "[core]\n\tbare = false\r\n\tfsmonitor = x\r",
  ])("is not where a line could run something, or is not understood: %j", (text) => {
    expect(isPlainGitConfig(text)).toBe(false);
    expect(isPlainGitConfig(`${cloned}${text}\n`)).toBe(false);
    expect(runsNothing("a/.git/config", text)).toBe(false);
  });
});

it("samples of hooks run nothing, and hooks do", () => {
  expect(runsNothing(".git/hooks/pre-commit.sample", "exit 1")).toBe(true);
  expect(runsNothing(".git/hooks/pre-commit", "exit 1")).toBe(false);
  expect(runsNothing(".husky/x.sample", "")).toBe(false);
  expect(runsNothing("config", cloned)).toBe(false);
});

it("a file that leads to the repository of a worktree is left alone, one that leads elsewhere is not", () => {
  expect(runsNothing("b/.git", "gitdir: /w/.git/worktrees/b\n")).toBe(true);
  expect(runsNothing("b/.git", "gitdir: ../.git/modules/b\n")).toBe(true);
  for (const text of [
    "gitdir: /w/evil\n",
    "gitdir: /w/.git/worktrees/../../evil/x\n",
    "",
    "gitdir: a\nb",
    "x",
  ])
    expect(runsNothing("b/.git", text)).toBe(false);
});
