/**
 * What chat commands use besides the stores: approvals, tools, skills, models and the config, in their current state.
 */
import { readPath } from "@pincer/sdk";
import { maskConfig } from "../../config/mask-config.ts";
import { parsePath } from "../../config/parse-path.ts";
import type { Config } from "../../config/schema.ts";
import type { Redactor } from "../../infra/redactor.ts";
import { configuredReferences } from "../../models/choose-model.ts";
import type { CommandServices } from "../../routing/router.ts";
import { createWorkdirFiles } from "../../sandbox/workdir-files.ts";
import { readSkills } from "../../skills/read-skills.ts";
import { agentSettings } from "../../agent/agent-settings.ts";
import { grantedIn } from "../../gate/grants/granted.ts";
import { contactsOf } from "../../gate/grants/places.ts";
import { answerInStore, type AnswerApproval } from "../methods/approvals-api.ts";
import type { OpenLabels } from "../../gate/labels/open-labels.ts";
import { readAccepted } from "../../agent/context/accepted-texts.ts";
import type { Memory } from "../../memory/following/memory.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";
import type { TurnSetups } from "../../agent/turns/set-up-turn.ts";
import { createChatApprovals } from "./chat-approvals.ts";
import { createToolStandings } from "../../routing/commands/tool-standings.ts";

export interface CommandServicesParts {
  /** As it is now. */
  config(): Config;
  engine: {
    setups: Pick<TurnSetups, "check" | "byHand" | "workdirOf">;
    labels?: Pick<OpenLabels, "accepted">;
  };
  memory: Pick<Memory, "unconfirmed">;
  /** Lets a turn that waited go on at once; without it, the answer is stored and nothing more. */
  answerApproval?: AnswerApproval | undefined;
  /** A link that lets one browser in, for whom it names; undefined where no page is served. */
  signInLink?(by: string): Promise<{ link: string; code: string; isOutside: boolean } | undefined>;
}

export interface OpenCommandRoom extends CommandServices {
  /** Where the agent works. Throws PincerError. */
  workdirOf(agentId: string): string;
}

export function openCommandServices(
  { stores, home }: Pick<OpenHome, "stores" | "home">,
  { redactor }: { redactor: Pick<Redactor, "values" | "add"> },
  { config, engine, memory, answerApproval, signInLink }: CommandServicesParts,
): OpenCommandRoom {
  const { setups } = engine;
  return {
    workdirOf: (agentId) => setups.workdirOf(agentId),
    approvals: createChatApprovals({
      ...stores,
      isToldElsewhere: () => config().notify.to !== undefined,
      isAlone: answerApproval === undefined,
      answer: answerApproval ?? answerInStore(stores),
      redactor,
    }),
    tools: createToolStandings({ setups }),
    async granted(sessionKey) {
      const [last] = await stores.turns.list({ limit: 1, sessionKey });
      return last && grantedIn({ stores, contacts: contactsOf(config()) }, last);
    },
    async skills({ session }) {
      const workdir = setups.workdirOf(session.agentId);
      const files = createWorkdirFiles({ workdir, closed: home.root });
      const read = readAccepted(files, engine.labels?.accepted, session.agentId);
      const found = await readSkills({ list: files.list, read });
      return { where: `${workdir}/skills`, ...found };
    },
    models: {
      usual(agentId) {
        const { model = "stub", thinking } = agentSettings(config(), agentId);
        return { model, thinking };
      },
      configured: (agentId) => configuredReferences(config().agents, agentId),
      async check(agentId, name) {
        await setups.check(agentId, { model: name });
      },
    },
    unconfirmed: {
      list: async (agentId) => (await memory.unconfirmed(agentId)).list(),
      confirm: async (agentId, ref) => (await memory.unconfirmed(agentId)).confirm(ref),
      drop: async (agentId, ref) => (await memory.unconfirmed(agentId)).drop(ref),
    },
    browsers: {
      async makeLink({ by, isStored }) {
        const made = await signInLink?.(by);
        // People who forward it, or read what was sent, see its name instead.
        if (made && isStored) redactor.add("sign-in code", made.code);
        return made;
      },
      list: async () => (await stores.access.list()).filter(({ kind }) => kind === "browser"),
      end: (id, by) => stores.access.revoke(id, by),
    },
    shownConfig: {
      keys: () => Object.keys(config()),
      // Masked by what the schema calls a secret, and by every value that is known as one.
      read: (path) => redactor.values({ value: readPath(maskConfig(config()), parsePath(path)) }).value,
    },
  };
}
