/** What the APIs of the gateway work with. */
import type { Channel, ChannelConnection, ChannelView, HealthView } from "@pincer/sdk";
import type { AccountSettings } from "../../channels/accounts.ts";
import type { Replies } from "../../channels/replies.ts";
import type { Problem } from "../../config/loaded-config.ts";
import type { Config } from "../../config/schema.ts";
import type { Redactor } from "../../infra/redactor.ts";
import type { Say } from "../../infra/texts.ts";
import type { OutboxRow } from "../../storage/outbox/outbox.ts";
import type { Foundation } from "../../storage/home/foundation.ts";
import type { OpenHome } from "../../storage/home/open-home.ts";

/** What a running gateway knows and does besides. */
export interface RunningGateway {
  /** Takes the config file up now; resolves to why it was refused, to nothing when it is in force. */
  reload(): Promise<Problem[]>;
  /** How every account is; with `probe` the networks are asked first. */
  channels(request: { probe: boolean }): Promise<ChannelView[]> | ChannelView[];
  /** The connector of a channel that a plugin brought along. */
  connector?: ((channel: string) => Channel | undefined) | undefined;
  /** The connection of an account; undefined while there is none. */
  connection?: ((channel: string, accountId: string) => ChannelConnection | undefined) | undefined;
  /** There is something to send. */
  wake(rows: OutboxRow[]): void;
  /** Accounts as this gateway runs them; left out, as the config has them. */
  accounts?: (() => readonly AccountSettings[]) | undefined;
  /** How words become rows that a channel can carry; left out, as any network can. */
  replies?: Replies | undefined;
  /** How the gateway is; left out, what can be told from the home. */
  health?: ((say: Say) => Promise<HealthView>) | undefined;
  /** What is served over HTTP, and the names under which others carry it; undefined where nothing is. */
  served?: (() => { port: number; isWide: boolean; carried: readonly string[] } | undefined) | undefined;
  /** Aborts when the gateway stops: nobody is kept waiting for what does not end by itself. */
  stopping?: AbortSignal | undefined;
}

export interface ControlApiParts {
  openedHome: Pick<
    OpenHome,
    "stores" | "clock" | "home" | "ids" | "tenantId" | "workspaceId" | "defaultAgentId"
  > & { foundation: Pick<Foundation, "secrets"> };
  /** As it is now. */
  config(): Config;
  say: Say;
  environment: Readonly<Record<string, string | undefined>>;
  redactor: Redactor;
  /** Left out where no gateway runs. */
  running?: RunningGateway | undefined;
}
