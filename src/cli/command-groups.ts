/** In the order and the groups in which help lists them: what one needs every day comes first. */
const groups = {
  everyday: "chat ask onboard status channels models memory undo gateway doctor",
  conversations: "agent message sessions tape context runs",
  settings: "configure serve config secrets auth agents plugins nodes tools",
  people: "pairing access owner rules approvals policy",
  upkeep: "health logs notices usage audit outbox deadletters backup prove",
} as const;

type CommandGroup = keyof typeof groups;

const groupOfName: ReadonlyMap<string, CommandGroup> = new Map(
  (Object.keys(groups) as CommandGroup[]).flatMap((group) =>
    groups[group].split(" ").map((name) => [name, group] as const),
  ),
);

export const groupOf = (command: string): CommandGroup | undefined => groupOfName.get(command);

/** The place of a command among the others. */
export const placeOf = (command: string): number => order.indexOf(command);

const order = [...groupOfName.keys()];
