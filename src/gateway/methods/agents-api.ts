/**
 * The agents, as in the config. Adding one writes the config and creates its directory; removing one deletes nothing
 * else.
 */
import { formatPath, isTable, normaliseAgentId, readPath, type AgentView } from "@pincer/sdk";
import { join } from "node:path";
import { setInText, parseOrRefuse, unsetInText } from "../../config/edit-config.ts";
import type { Home } from "../../config/home.ts";
import { maskConfig } from "../../config/mask-config.ts";
import { usualWorkspace } from "../../config/owner-keys.ts";
import { parsePath } from "../../config/parse-path.ts";
import { readIfThere } from "../../config/read-regular-file.ts";
import type { Config } from "../../config/schema.ts";
import { editConfig, setConfig, type ConfigEditor } from "../../config/set-config.ts";
import { failure } from "../../infra/failure.ts";
import { isThere } from "../../infra/is-there.ts";
import type { Language } from "../../infra/texts/table.ts";
import { agentSettings } from "../../agent/agent-settings.ts";
import { defaultAgentOf } from "../../config/default-agent.ts";
import { locateWorkdir } from "../../config/locate-workdir.ts";
import { prepareWorkdir } from "../../sandbox/prepare-workdir.ts";
import { allowsFor, askedBy, notSet, written, type TakenUp } from "./config-api.ts";
import type { Api } from "./api.ts";

export interface AgentsApiParts {
  openedHome: { home: Home };
  /** As it is now. */
  config(): Config;
  environment: Readonly<Record<string, string | undefined>>;
  editor: ConfigEditor;
  takeUp(language: Language | undefined): Promise<TakenUp>;
}

export function createAgentsApi({
  openedHome: { home },
  config,
  environment,
  editor,
  takeUp,
}: AgentsApiParts): Api<"agents"> {
  const placeOf = (configured: string) => ({
    flag: undefined,
    configured,
    cwd: home.root,
    environment,
    homeRoot: home.root,
  });

  function view(id: string, now: Config): AgentView {
    const listed = now.agents.list.find((agent) => agent.id === id);
    return {
      id,
      name: listed?.name ?? null,
      isDefault: id === defaultAgentOf(now),
      model: (typeof listed?.model === "string" ? listed.model : listed?.model?.primary) ?? null,
      workspace: locateWorkdir(placeOf(agentSettings(now, id).workspace)),
      configured: listed !== undefined,
    };
  }

  /** Where it stands in the file, which alone can be changed. Throws `usage/not-found`. */
  async function placeInFile(id: string): Promise<number> {
    const at = positionOf(await readIfThere(home.configFile), id);
    if (at < 0) throw noAgent(id);
    return at;
  }

  /** The agent that is there without being listed. */
  const isUnlisted = (id: string, now: Config): boolean =>
    id === defaultAgentOf(now) && !now.agents.list.some((agent) => agent.id === id);

  return {
    async list() {
      const now = config();
      const ids = new Set([defaultAgentOf(now), ...now.agents.list.map(({ id }) => id)]);
      return { agents: Array.from(ids, (id) => view(id, now)) };
    },

    async add({ id: given, name, model, workspace, language }, until) {
      const id = normaliseAgentId(given);
      if (id === undefined)
        throw failure("usage/bad-argument", "agents.bad-id", { id: given }, { hint: "agents.bad-id.hint" });
      // The default agent has a workdir already, and keeps it.
      const now = config();
      const agent = {
        id,
        ...(name === undefined ? {} : { name }),
        ...(model === undefined ? {} : { model: { primary: model } }),
        ...(workspace === undefined && isUnlisted(id, now)
          ? {}
          : { workspace: workspace ?? usualWorkspace(id) }),
      };
      const change = await editConfig({ ...editor, ...askedBy(until) }, `add agent ${id}`, (text) => {
        if (positionOf(text, id) >= 0) throw alreadyThere(id);
        return setInText(text, ["agents", "list", agentsIn(text).length], agent);
      });
      const made = prepareWorkdir(placeOf(agent.workspace ?? agentSettings(now, id).workspace));
      const taken = await written(change, () => takeUp(language));
      return {
        ...taken,
        agent: {
          ...view(id, config()),
          name: name ?? null,
          model: model ?? null,
          workspace: made,
          configured: true,
        },
      };
    },

    async remove({ id, language }, until) {
      await placeInFile(id);
      const { workspace } = view(id, config());
      const change = await editConfig({ ...editor, ...askedBy(until) }, `remove agent ${id}`, (text) => {
        const at = positionOf(text, id);
        if (text === undefined || at < 0) throw noAgent(id);
        return unsetInText(text, ["agents", "list", at]).text;
      });
      const places = [workspace, join(home.agentsDir, id)];
      const there = await Promise.all(places.map(isThere));
      return {
        ...(await written(change, () => takeUp(language))),
        removed: id,
        kept: places.filter((_, index) => there[index]),
      };
    },

    async config({ id, path: text }) {
      const now = config();
      const listed = now.agents.list.findIndex((agent) => agent.id === id);
      const isBare = isUnlisted(id, now);
      if (listed < 0 && !isBare) throw noAgent(id);
      const at = isBare ? now.agents.list.length : listed;
      const path = text === undefined ? [] : parsePath(text);
      const value = isBare
        ? readPath({ id }, path)
        : readPath(maskConfig(now), ["agents", "list", at, ...path]);
      if (value === undefined) throw notSet("config.not-set", ["agents", "list", at, ...path]);
      return { id, path: text === undefined ? null : formatPath(path), value };
    },

    async configure({ id, path: text, value, language }, until) {
      const path = parsePath(text);
      if (path[0] === "id") throw failure("usage/bad-argument", "agents.id-stays", { id });
      const isNew =
        isUnlisted(id, config()) && value !== null && positionOf(await readIfThere(home.configFile), id) < 0;
      const at = isNew ? agentsIn(await readIfThere(home.configFile)).length : await placeInFile(id);
      const place = ["agents", "list", at];
      const whole = [...place, ...path];
      const mayOwner = allowsFor(until);
      const bound: ConfigEditor = {
        ...editor,
        ...askedBy(until),
        allows(before, after) {
          // Somebody else may have taken one out of the list meanwhile: no other agent gets what was meant for this one.
          if (isNew ? agentsIn(before).length !== at : positionOf(before, id) !== at) throw noAgent(id);
          mayOwner?.(before, after);
        },
      };
      const change =
        value === null
          ? await editConfig(bound, `unset ${formatPath(whole)}`, (before) =>
              before === undefined ? "" : unsetInText(before, whole).text,
            )
          : (
              await setConfig(bound, [
                ...(isNew ? [{ path: [...place, "id"], value: id }] : []),
                { path: whole, value },
              ])
            ).change;
      return { ...(await written(change, () => takeUp(language))), id, path: formatPath(path) };
    },
  };
}

function agentsIn(text: string | undefined): unknown[] {
  const list =
    text === undefined || text.trim() === "" ? [] : readPath(parseOrRefuse(text).value, ["agents", "list"]);
  return Array.isArray(list) ? (list as unknown[]) : [];
}

/** In the list of the file, whatever the spelling there; -1 where it is not. */
const positionOf = (text: string | undefined, id: string): number =>
  agentsIn(text).findIndex(
    (agent) => isTable(agent) && typeof agent["id"] === "string" && normaliseAgentId(agent["id"]) === id,
  );

const noAgent = (id: string) =>
  failure("usage/not-found", "agents.none", { id }, { hint: "agents.none.hint" });

const alreadyThere = (id: string) =>
  failure("usage/bad-argument", "agents.there", { id }, { hint: "agents.there.hint" });
