/** What the agent is told about itself. Byte-stable: nothing in it changes from turn to turn. */
export interface AgentIdentity {
  /** What it calls itself. */
  name?: string | undefined;
  /** What it calls the person it works for. */
  user?: string | undefined;
}

export function buildSystemPrompt({ name, user }: AgentIdentity, override: string | undefined): string {
  const own = override?.trim();
  if (own) return own;
  const whose = user
    ? `the personal assistant of ${user}`
    : "the personal assistant of the person you talk to";
  return `You are ${name ?? "Pincer"}, ${whose}. Answer in their language, briefly and honestly. Use the tools you are given; say so when you cannot do something.`;
}
