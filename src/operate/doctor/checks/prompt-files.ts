import { join } from "node:path";
import type { LeftOut } from "../../../agent/prompt/prompt.ts";
import type { Config } from "../../../config/schema.ts";
import { isThere } from "../../../infra/is-there.ts";
import { readSkills } from "../../../skills/read-skills.ts";
import { agentSettings } from "../../../agent/agent-settings.ts";
import { defaultAgentOf } from "../../../config/default-agent.ts";
import { createAgentWorkspace, type AgentWorkspace } from "../../../agent/agents/agent-workspace.ts";
import { readAccepted } from "../../../agent/context/accepted-texts.ts";
import { createPromptFiles } from "../../../agent/context/prompt-files.ts";
import { createAcceptedFiles, type AcceptedFiles } from "../../../gate/labels/accepted-files.ts";
import { createFilePlaces } from "../../../gate/labels/file-place.ts";
import { contextSettings, type ContextSettings } from "../../../agent/context/context-settings.ts";
import { mostMemoryChars, mostNoteChars } from "../../../agent/context/prompt-cache.ts";
import type { ExaminedHome } from "../../../storage/home/examine-home.ts";
import type { Check, Finding } from "../check.ts";

/** Whether what people wrote for their agents gets into the prompt, and whether the config names skills that there are. */
export function checkPromptFiles({ home, say, clock, config, workdir, database }: ExaminedHome): Check {
  async function lookIn(path: string, context: ContextSettings, agentId: string): Promise<Finding[]> {
    const { timezone, memory } = context;
    const place = { workdir: path, homeRoot: home.root, timezone, layout: memory.layout };
    const { skipped, skills } = await readAll(createAgentWorkspace({ ...place, clock }), context, {
      agentId,
      accepted: await acceptedFiles(),
    });
    const leftOut = skipped.map(({ name, reason }): Finding => ({
      level: "warning",
      message: say("doctor.prompt-files.left-out", { file: join(path, name), reason }),
      next: say("doctor.prompt-files.next"),
    }));
    const { includeSkills, excludeSkills } = context.options;
    const unknown = [...includeSkills, ...excludeSkills].filter((name) => !skills.includes(name));
    const named = unknown.map((name): Finding => ({
      level: "warning",
      message: say("doctor.prompt-files.no-skill", { name, path }),
      next: say("doctor.config.unlisted"),
    }));
    return [...leftOut, ...named];
  }

  /** Looks only: nothing is accepted by a doctor, and nobody is told. Undefined where the database cannot be read. */
  async function acceptedFiles(): Promise<AcceptedFiles | undefined> {
    const state = await database();
    if (state.type !== "open") return undefined;
    const store = { ...state.tenant.gate, accept: async () => {} };
    return createAcceptedFiles({ store, places: createFilePlaces(home.root) });
  }

  return {
    id: "prompt-files",
    title: say("doctor.prompt-files"),
    async check() {
      const { config: settings } = await config();
      const findings: Finding[] = [];
      const paths = new Set<string>();
      for (const agentId of agentIdsOf(settings)) {
        const path = await workdir(agentSettings(settings, agentId).workspace);
        if (!(await isThere(path))) continue;
        paths.add(path);
        findings.push(...(await lookIn(path, contextSettings(settings, agentId), agentId)));
      }
      const told = new Map(findings.map((finding) => [finding.message, finding]));
      if (told.size > 0) return [...told.values()];
      return [{ level: "ok", message: [...paths].join(", ") || say("doctor.prompt-files.none") }];
    },
  };
}

const agentIdsOf = (config: Config): Set<string> =>
  new Set([defaultAgentOf(config), ...config.agents.list.map(({ id }) => id)]);

async function readAll(
  { files, memory }: AgentWorkspace,
  { bootstrap, memory: { inject } }: ContextSettings,
  { agentId, accepted }: { agentId: string; accepted: AcceptedFiles | undefined },
): Promise<{ skipped: LeftOut[]; skills: string[] }> {
  const promptFiles = createPromptFiles({ files, accepted });
  const counting = { list: files.list, read: readAccepted(files, accepted, agentId) };
  const [read, override, longTerm, notes, found] = await Promise.all([
    promptFiles.read(bootstrap, "system", agentId),
    promptFiles.override(bootstrap, agentId),
    memory.longTerm(mostMemoryChars),
    memory.notes(Math.max(inject.main.days, inject.group.days), mostNoteChars),
    readSkills(counting),
  ]);
  const ofSkills = found.skipped.map(({ path, reason }) => ({ name: path, reason }));
  return {
    skipped: [read, override, longTerm, notes].flatMap((part) => part.skipped).concat(ofSkills),
    skills: found.skills.map(({ name }) => name),
  };
}
