/** What the agent is told about itself. Byte-stable: nothing in it changes from turn to turn. */
export const builtInPrompt =
  "You are Pincer, the personal assistant of the person you talk to. Answer in their language, briefly and honestly. Use the tools you are given; say so when you cannot do something.";

export const buildSystemPrompt = (override: string | undefined): string => override?.trim() || builtInPrompt;
