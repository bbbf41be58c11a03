/** What is set up and what is not, step by step; the same for the terminal and the page. */
import {
  setupSteps,
  type ChannelView,
  type ModelStatusView,
  type SetupProblem,
  type SetupStep,
  type SetupStepView,
  type SetupView,
} from "@pincer/sdk";
import type { Say } from "../../infra/texts.ts";
import type { SetupRecord } from "./setup-record.ts";

export interface SetupFacts {
  models: ModelStatusView;
  /** The result of asking the model just now; undefined if it was not asked. */
  asked: { ok: true } | { ok: false; problem: SetupProblem } | undefined;
  assistant: SetupView["assistant"];
  channels: ChannelView[];
  owned: boolean;
  service: SetupView["service"] & { isPossible: boolean };
  address: string | null;
  record: SetupRecord;
}

/** Pure. */
export function describeSetup(facts: SetupFacts, say: Say): SetupView {
  const { record, models, asked, channels, service } = facts;
  const steps = setupSteps.map((step): SetupStepView => {
    const found = lookAt[step](facts, say);
    const isUnwanted = found.state === "open" && record.leftOut.includes(step);
    return { step, ...found, ...(isUnwanted ? { state: "left-out" as const } : {}) };
  });
  const next = steps.find(({ state }) => state === "open" || state === "failing")?.step ?? null;
  const { isPossible: _isPossible, ...shown } = service;
  return {
    done: record.doneAt !== null || next === null,
    doneAt: record.doneAt,
    next,
    steps,
    model: {
      reference: isChosen(models) ? (models.models[0]?.reference ?? null) : null,
      ready: isChosen(models) && models.answers !== null,
      answers: asked?.ok ?? null,
      problem: asked && !asked.ok ? asked.problem : null,
    },
    assistant: facts.assistant,
    channels,
    owned: facts.owned,
    service: shown,
    address: facts.address,
  };
}

type Looked = Pick<SetupStepView, "state" | "note">;

const lookAt: Record<SetupStep, (facts: SetupFacts, say: Say) => Looked> = {
  model({ models, asked }, say) {
    if (asked && !asked.ok) return { state: "failing", note: asked.problem.message };
    if (!isChosen(models)) return { state: "open", note: say("setup.model.none") };
    const [first] = models.models;
    const reference = first?.reference ?? "";
    if (models.answers !== null)
      return { state: "done", note: say("setup.model.is", { reference: models.answers }) };
    return { state: "failing", note: say(`setup.model.${first?.state ?? "unknown"}`, { reference }) };
  },
  assistant({ assistant: { name } }, say) {
    return name === null
      ? { state: "open", note: say("setup.assistant.none") }
      : { state: "done", note: say("setup.assistant.is", { name }) };
  },
  channel({ channels, owned }, say) {
    const outside = channels.filter(({ channel, enabled }) => channel !== "local" && enabled !== false);
    if (outside.length === 0) return { state: "open", note: say("setup.channel.none") };
    const broken = outside.find(({ health, state }) => health === "red" || state === "broken");
    const name = broken?.channel ?? outside.map(({ channel }) => channel).join(", ");
    if (broken)
      return { state: "failing", note: say("setup.channel.broken", { name, reason: broken.reason ?? "" }) };
    return { state: "done", note: say(owned ? "setup.channel.owned" : "setup.channel.unowned", { name }) };
  },
  service({ service: { installed, running, isPossible } }, say) {
    if (installed && !running) return { state: "failing", note: say("setup.service.stopped") };
    if (installed) return { state: "done", note: say("setup.service.runs") };
    if (!isPossible) return { state: "left-out", note: say("setup.service.impossible") };
    return { state: "open", note: say(running ? "setup.service.by-hand" : "setup.service.none") };
  },
};

/** The one that answers where nothing is chosen only says so. */
const isChosen = ({ models }: ModelStatusView): boolean =>
  models[0] !== undefined && !models[0].reference.startsWith("stub/");
