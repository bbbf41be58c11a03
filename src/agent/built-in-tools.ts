/** The tools that come with Pincer, bound to one workdir. */
import type { MediaStore, Tool, ToolVisibility } from "@pincer/sdk";
import type { Clock } from "../infra/clock.ts";
import { createMemoryAppendTool } from "../memory/memory-append-tool.ts";
import { createMemoryGetTool } from "../memory/memory-get-tool.ts";
import { createMemorySearchTool } from "../memory/memory-search-tool.ts";
import type { ConversationAccess } from "../tools/conversation/conversation-access.ts";
import { createConversationTools } from "../tools/conversation/conversation-tools.ts";
import { createEchoTool } from "../tools/echo.ts";
import { createApplyPatchTool } from "../tools/files/apply-patch.ts";
import { createEditFileTool } from "../tools/files/edit-file.ts";
import type { FileLabels } from "../tools/files/file-labels.ts";
import { createListFilesTool } from "../tools/files/list-files.ts";
import { createReadFileTool } from "../tools/files/read-file.ts";
import { createSearchFilesTool } from "../tools/files/search-files.ts";
import { createWriteFileTool } from "../tools/files/write-file.ts";
import { createPwdTool } from "../tools/pwd.ts";
import { createRecallTool } from "../tools/recall.ts";
import { createResultReadTool } from "../tools/result-read.ts";
import { createTimeNowTool } from "../tools/time-now.ts";
import { createToolSet, type ToolSet } from "../tools/tool-set.ts";
import type { ResultReader } from "./context/result-reader.ts";
import type { AgentWorkspace } from "./agents/agent-workspace.ts";
import { noMemory } from "../memory/following/no-memory.ts";
import type { ChatPlace, MemoryService } from "../memory/following/memory.ts";

/** Where memory is looked up. */
export type Recall = Pick<MemoryService, "search" | "get">;

export function createBuiltInTools(
  place: {
    clock: Clock;
    agentWorkspace: Pick<AgentWorkspace, "files" | "memory">;
    /** Left out where there are no sessions. */
    stored?: ResultReader | undefined;
    /** Left out where nothing is looked up. */
    recall?: Recall | undefined;
    /** Left out where there are no sessions. */
    conversation?: ConversationAccess | undefined;
    /** Where pictures are kept for the model; left out, they are only told of. */
    media?: Pick<MediaStore, "store"> | undefined;
    /** Left out where no labels are stored. */
    labels?: FileLabels | undefined;
  },
  others: readonly Tool[] = [],
): ToolSet {
  const { files, memory } = place.agentWorkspace;
  const { recall = noMemory, stored = nothingStored, labels } = place;
  return createToolSet([
    createTimeNowTool(place.clock),
    createEchoTool(),
    createPwdTool(files.root),
    createListFilesTool(files, labels),
    createReadFileTool({ files, media: place.media, labels }),
    createWriteFileTool(files, labels),
    createEditFileTool(files, labels),
    createApplyPatchTool(files, labels),
    createSearchFilesTool(files, labels),
    createResultReadTool({ read: stored.read }),
    createRecallTool({ open: stored.open }),
    createMemoryAppendTool(memory),
    createMemorySearchTool({
      search: (request, { place: chat }) => recall.search({ ...request, ...askedFrom(chat) }),
    }),
    createMemoryGetTool({
      get: (request, { place: chat }) => recall.get({ ...request, ...askedFrom(chat) }),
    }),
    ...(place.conversation ? createConversationTools(place.conversation) : []),
    ...others,
  ]);
}

const nothingStored: ResultReader = { read: async () => undefined, open: async () => undefined };

/** Nobody knows who asks: then it is a stranger. */
function askedFrom(place: ToolVisibility | undefined): { agentId: string; chat: ChatPlace } {
  const { agentId, chatType, sessionKey } = place ?? { agentId: "", chatType: "direct", sessionKey: "" };
  return { agentId, chat: { chatType, sessionKey } };
}
