/** What a gateway answers with: plain JSON, and no more of its stores than those who ask need. */
import type { AccessResults } from "./access-methods.ts";
import type { AgentsResults } from "./agents-methods.ts";
import type { ApprovalsResults } from "./approvals-methods.ts";
import type { AuditResults } from "./audit-methods.ts";
import type { AuthResults } from "./auth-methods.ts";
import type { ChannelsResults } from "./channels-methods.ts";
import type { ChatResults } from "./chat-methods.ts";
import type { CommandsResults } from "./commands-methods.ts";
import type { ConfigResults } from "./config-methods.ts";
import type { GatewayResults } from "./gateway-methods.ts";
import type { HealthResults } from "./health-methods.ts";
import type { LoginResults } from "./login-methods.ts";
import type { LogsResults } from "./logs-methods.ts";
import type { MemoryResults } from "./memory-methods.ts";
import type { ModelsResults } from "./models-methods.ts";
import type { NodesResults } from "./nodes-methods.ts";
import type { NoticesResults } from "./notices-methods.ts";
import type { OutboxResults } from "./outbox-methods.ts";
import type { PairingResults } from "./pairing-methods.ts";
import type { PluginsResults } from "./plugins-methods.ts";
import type { ReachResults } from "./reach-methods.ts";
import type { RulesResults } from "./rules-methods.ts";
import type { RunsResults } from "./runs-methods.ts";
import type { SendResults } from "./send-methods.ts";
import type { SessionsResults } from "./sessions-methods.ts";
import type { SetupResults } from "./setup-methods.ts";
import type { TapeResults } from "./tape-methods.ts";
import type { ToolsResults } from "./tools-methods.ts";
import type { UndoResults } from "./undo-methods.ts";
import type { UpkeepResults } from "./upkeep-methods.ts";
import type { UsageResults } from "./usage-methods.ts";

/** Where a result is `unknown`, it is what the command of the same name prints with `--json`. */
export interface MethodResults
  extends
    AccessResults,
    AgentsResults,
    ApprovalsResults,
    AuditResults,
    AuthResults,
    ChannelsResults,
    ChatResults,
    CommandsResults,
    ConfigResults,
    GatewayResults,
    HealthResults,
    LoginResults,
    LogsResults,
    MemoryResults,
    ModelsResults,
    NodesResults,
    NoticesResults,
    OutboxResults,
    PairingResults,
    PluginsResults,
    ReachResults,
    RulesResults,
    RunsResults,
    SendResults,
    SessionsResults,
    SetupResults,
    TapeResults,
    ToolsResults,
    UndoResults,
    UpkeepResults,
    UsageResults {}
