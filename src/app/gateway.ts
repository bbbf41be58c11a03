/** The options of a gateway, and what its starter can do with it. */
import type { Channel, Model, PincerError, Tool } from "@pincer/sdk";
import type { BeforeCompact } from "../agent/compaction/compaction.ts";
import type { WayOut } from "../agent/effects/network.ts";
import type { TurnWishes } from "../agent/turns/turn-wishes.ts";
import type { AccountSettings } from "../channels/accounts.ts";
import type { GatewayLog, GatewayLogParts } from "../gateway/logs/gateway-log.ts";
import type { OpenHomeOptions, OpenHomeOverrides, OpenHomeParts } from "../storage/home/open-home.ts";

export interface GatewayOptions extends OpenHomeOptions {
  /** Only these channels; without it, all that the config switches on. */
  channels?: string[];
  /** What turns have where nobody wishes otherwise. */
  wishes?: TurnWishes;
  /** Pages and programs are served as the config says; without it, commands of this home alone. */
  isServed?: boolean;
  /** Whether it refuses to start with a credential that is not there; one that served already starts again without it. */
  checksProfile?: boolean;
}

export interface GatewayParts extends OpenHomeParts, GatewayLogParts {
  version: string;
}

/** Overrides for tests. */
export interface GatewayExtras extends OpenHomeOverrides {
  /** Connectors besides those that come with the product. */
  channels?: Channel[];
  /** The first is used for every turn. */
  models?: Model[];
  tools?: Tool[];
  /** Where names and addresses of the web lead. */
  wayOut?: WayOut;
  /** Off: nobody looks where the arguments of calls come from. */
  provenance?: "on" | "off";
  /** Whole: earlier turns are shown as they are, whoever wrote in them. */
  earlierTurns?: "whole";
  /** Asked before a session is summed up. */
  beforeCompact?: BeforeCompact;
}

/** `why`: the keys of the config that make it necessary; none where somebody asked for it. */
export type StopAsk = { type: "stop" } | { type: "restart"; why: string[] };

export interface Gateway {
  socket: string;
  accounts(): AccountSettings[];
  log: GatewayLog;
  /** The model that is asked first; undefined where none is chosen. */
  model(): string | undefined;
  /** No new work; running turns finish or park within the bound. Safe to call twice. */
  stop(withinMs?: number): Promise<void>;
  /** Resolves when the disk is lost and the process must end; a new one heals what can be. */
  failed: Promise<PincerError>;
  /** Resolves when somebody asked it to stop, or the config has changed in a way that only a new start can follow. */
  stopAsked: Promise<StopAsk>;
  /** Whether somebody asked it to stop for good, perhaps when it was about to serve again. */
  isToEnd(): boolean;
  /** Where browsers and programs reach it, such as http://localhost:18650; undefined where it serves no HTTP. */
  address?(): string | undefined;
  /** Why it serves no HTTP although the config wants it; it keeps trying. */
  httpTrouble?(): PincerError | undefined;
  /** Calls with the address as soon as there is one: now, or when a port or an address has become free. */
  onServed?(call: (address: string) => void): void;
  /** A link that signs one browser in, once and for some minutes; undefined where there is no page to sign in to. */
  signInLink?(): Promise<string | undefined>;
  /** Resolves when there is nothing to do. */
  idle(): Promise<void>;
}
