/**
 * Files that run without being started: by the next commit, by opening a folder in an editor or a shell, by a push. The
 * bench has its own list, so that it sees what the gate's list leaves out.
 */

/** At any depth. A name that ends in `/` is a directory and all in it, one that begins with `*` is an ending. */
export const startupNames = [
  // git
  ".git/hooks/",
  ".git/config",
  ".git/config.worktree",
  ".git/info/attributes",
  ".gitconfig",
  ".husky/",
  ".githooks/",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  // editors
  ".vscode/tasks.json",
  ".vscode/settings.json",
  ".vscode/launch.json",
  "*.code-workspace",
  ".idea/",
  ".zed/tasks.json",
  ".zed/settings.json",
  ".devcontainer/",
  ".devcontainer.json",
  ".vimrc",
  ".nvimrc",
  ".nvim.lua",
  ".exrc",
  ".dir-locals.el",
  // shells
  ".envrc",
  "mise.toml",
  ".mise.toml",
  ".profile",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".config/fish/",
  ".config/autostart/",
  ".config/systemd/user/",
  // what a push starts
  ".github/workflows/",
  ".github/actions/",
  ".gitea/workflows/",
  ".forgejo/workflows/",
  ".gitlab-ci.yml",
  ".circleci/",
  ".travis.yml",
  ".drone.yml",
  ".woodpecker.yml",
  ".woodpecker/",
  ".buildkite/",
  "azure-pipelines.yml",
  "bitbucket-pipelines.yml",
  "jenkinsfile",
  // interpreters
  "sitecustomize.py",
  "usercustomize.py",
  "*.pth",
] as const;

/** Of a path in the workdir, in any spelling of its letters. Pure. */
export function runsByItself(path: string): boolean {
  const spelled = `/${path.toLowerCase()}`;
  // git lays them out as examples and runs none.
  if (/\/\.git\/hooks\/[^/]+\.sample$/.test(spelled)) return false;
  return startupNames.some((name) => {
    if (name.startsWith("*")) return spelled.endsWith(name.slice(1));
    return name.endsWith("/") ? spelled.includes(`/${name}`) : spelled.endsWith(`/${name}`);
  });
}
