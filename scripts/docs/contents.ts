/** The order in which people read the documentation. What is in no group is shown with the reference, so that no page is ever lost. */

export interface Group {
  name: string;
  /** Paths below `docs/`, in order; one that ends in `/` stands for every page below it that is named nowhere else. */
  files: string[];
}

export const groups: readonly Group[] = [
  {
    name: "Quick start",
    files: [
      "README.md",
      "quick-start.md",
      "guides/first-run.md",
      "guides/page.md",
      "guides/people.md",
      "guides/chat-commands.md",
    ],
  },
  { name: "Models", files: ["guides/models.md", "guides/credentials.md"] },
  { name: "Memory", files: ["guides/memory.md", "guides/context.md", "guides/undo.md"] },
  {
    name: "Tools and policy",
    files: [
      "guides/gate.md",
      "guides/approvals.md",
      "guides/rules.md",
      "guides/sandbox.md",
      "guides/programs.md",
      "guides/web.md",
      "guides/media.md",
    ],
  },
  { name: "Security", files: ["security.md", "guides/doors.md", "guides/reach.md", "guides/audit.md"] },
  {
    name: "Channels",
    files: ["guides/channels.md", "guides/telegram.md", "guides/irc.md", "guides/webhook-channel.md"],
  },
  {
    name: "Operations",
    files: [
      "operations.md",
      "guides/service.md",
      "guides/docker.md",
      "guides/control.md",
      "guides/monitoring.md",
      "guides/when-something-fails.md",
      "guides/proving.md",
    ],
  },
  {
    name: "Protocol",
    files: ["protocol.md", "guides/api.md", "guides/openai-api.md", "guides/webhooks.md", "guides/nodes.md"],
  },
  {
    name: "Extending",
    files: [
      "extending.md",
      "guides/adding-a-tool.md",
      "guides/adding-a-channel.md",
      "guides/adding-a-provider.md",
      "guides/adding-a-plugin.md",
    ],
  },
  { name: "Architecture", files: ["architecture.md", "architecture/"] },
  {
    name: "Reference",
    files: ["commands.md", "configuration.md", "glossary.md", "requirements.md"],
  },
  { name: "Decisions", files: ["decisions/README.md", "decisions/"] },
];

/** Where a page is shown that no group names. */
const others = "Reference";

export interface PlacedFile {
  file: string;
  group: string;
}

/** Pure: every file once, in the order of the groups. */
export function inOrder(files: readonly string[]): PlacedFile[] {
  const known = new Set(files);
  const named = new Set(groups.flatMap((group) => group.files));
  const placed = groups.flatMap((group) =>
    group.files.flatMap((entry) =>
      (entry.endsWith("/") ? below(entry) : known.has(entry) ? [entry] : []).map((file) => ({
        file,
        group: group.name,
      })),
    ),
  );
  const seen = new Set(placed.map(({ file }) => file));
  const rest = files.filter((file) => !seen.has(file)).sort();
  return [...placed, ...rest.map((file) => ({ file, group: others }))];

  function below(folder: string): string[] {
    return files.filter((file) => file.startsWith(folder) && !named.has(file)).sort();
  }
}

/** Where a page is read: `guides/models.md` at `/docs/models`, any other at its own path, a `README.md` at its folder. */
export function addressOf(file: string): string {
  const name = file
    .replace(/^guides\//, "")
    .replace(/(^|\/)README\.md$/, "")
    .replace(/\.md$/, "");
  return name === "" ? "/docs" : `/docs/${name}`;
}
