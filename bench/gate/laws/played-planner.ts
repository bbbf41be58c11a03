/** The planner and the writer as the gate asks them, answered by the models of the laws. */
import type { AskWithoutTools } from "../../../src/gate/turn-gate.ts";
import { plannerPrompt } from "../../../src/gate/grants/planner.ts";
import { writerPrompt } from "../../../src/gate/leaving/write-anew.ts";
import { answerOf, withoutMarks } from "./driven-model.ts";
import type { LawGrant, LawModels } from "./port.ts";

/** In the planner's form: ids of the request for whatever it names, and words of its message as the quote. */
export function plannerAnswer(request: string, grants: readonly LawGrant[]): string {
  const {
    message,
    contacts = [],
    sources = [],
  } = JSON.parse(request) as {
    message: string;
    contacts?: Array<{ id: string; name: string }>;
    sources?: Array<{ id: string; what: string }>;
  };
  const idOf = (place: string): string => contacts.find(({ name }) => name === nameOf(place))?.id ?? place;
  return JSON.stringify({
    grants: grants.map(({ tool, recipients, hosts, args, sources: wanted, count }) => ({
      quote: message.trim().slice(0, 40),
      tool,
      recipients: recipients.map((place) => (place.startsWith("agent:") ? `session:${place}` : idOf(place))),
      hosts,
      args: Object.fromEntries(Object.entries(args).map(([name, value]) => [name, { value }])),
      sources: sources.filter(({ what }) => wanted.some((each) => isSaid(what, each))).map(({ id }) => id),
      count,
    })),
  });
}

/** One contact for each place, so that a grant names no other. */
export const nameOf = (place: string): string => `at ${place}`;

const isSaid = (what: string, source: string): boolean =>
  what === sayings[source] || (source.startsWith("file:") && what === `file ${source.slice("file:".length)}`);

const sayings: Record<string, string> = {
  memory: "memory",
  user: "what the owner wrote about themselves",
  workdir: "any file of the workdir",
  "tool:mail": "what mail tools show",
};

export const askModels =
  (models: LawModels): AskWithoutTools =>
  async ({ systemPrompt, messages }) => {
    const text = withoutMarks(messages[0]?.content[0].text ?? "");
    if (systemPrompt === plannerPrompt) {
      const grants = models.planner(text);
      return answerOf(grants && plannerAnswer(text, grants));
    }
    if (systemPrompt !== writerPrompt) throw new Error(`nobody answers: ${systemPrompt.slice(0, 100)}`);
    const { fields } = JSON.parse(text) as { fields: string[] };
    return answerOf(JSON.stringify(models.writer(text, fields)));
  };
