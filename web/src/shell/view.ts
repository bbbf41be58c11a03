/** The base of all views: they live in the page's own tree, ask the gateway, and follow changes. */
import type { EventTopic, MethodName, MethodParams, MethodResults } from "@pincer/sdk";
import { LinkError } from "@pincer/sdk/client";
import { LitElement, type PropertyDeclarations, type TemplateResult } from "lit";
import { knownBadge, type Known } from "../parts/known-badge.ts";
import type { Say } from "../texts/texts.ts";
import type { Page } from "./page.ts";

type AskParams<Name extends MethodName> = Omit<MethodParams<Name>, "idempotencyKey"> & {
  idempotencyKey?: string;
};

export abstract class View extends LitElement {
  static override properties: PropertyDeclarations = {
    page: { attribute: false },
    rest: { attribute: false },
    lostAt: { state: true },
  };

  /** Set before the view is connected. */
  declare page: Page;
  /** What follows the route in the address: "agent:main:main" of "#/chat/agent:main:main". */
  declare rest: string;
  /** Since when what is shown is only what was last known, RFC 3339; undefined while it is followed. */
  declare lostAt: string | undefined;
  private readonly ends = new Set<() => void>();
  private left = new AbortController();

  constructor() {
    super();
    this.rest = "";
  }

  /** Asks for what is shown. Called when the view is opened, and whenever something that it watches has changed. */
  protected async load(): Promise<void> {}

  /** Topics whose events call `load` again. */
  protected watched(): readonly EventTopic[] {
    return [];
  }

  /** Asks for what may be another by now, when the connection is back. What it does not ask for is taken to be as it was. */
  protected async recall(): Promise<void> {
    if (this.watched().length > 0) await this.load();
  }

  protected get say(): Say {
    return this.page.say;
  }

  /** The colour of a state; none while it is unknown. */
  protected tone(tone: string): string {
    return this.lostAt === undefined ? tone : "";
  }

  /** The text of a state; marked as last known while disconnected. */
  protected asKnown(state: string): string {
    return this.lostAt === undefined ? state : this.say("shell.was", { state });
  }

  /** A state in its colour; what was last known of it in grey. */
  protected badge(tone: string, words: unknown): TemplateResult {
    return knownBadge(tone, words, this.asOf);
  }

  /** Whether what is shown is what is, or what was. */
  protected get asOf(): Known {
    const { say, language } = this.page;
    return { lostAt: this.lostAt, say, language };
  }

  /** Aborts when the view is left. */
  protected get signal(): AbortSignal {
    return this.left.signal;
  }

  /** What the gateway answers; undefined when it refused, which has been said then, or when the view was left meanwhile. */
  protected async ask<Name extends Exclude<MethodName, "connect">>(
    method: Name,
    params: AskParams<Name>,
  ): Promise<MethodResults[Name] | undefined> {
    try {
      return await this.page.link.request(method, params as never, { signal: this.signal });
    } catch (error) {
      if (!this.signal.aborted) this.page.tell(this.failureWords(error), "bad");
      return undefined;
    }
  }

  protected failureWords(error: unknown): string {
    const hint = error instanceof LinkError && error.hint !== undefined ? ` ${error.hint}` : "";
    return `${error instanceof Error ? error.message : String(error)}${hint}`;
  }

  /** Calls when an event of these topics comes, or some may have been missed; ends when the view is left. Several at once are one call. */
  protected watch(topics: readonly EventTopic[], changed: () => void): void {
    let isSoon = false;
    const soon = () => {
      if (isSoon) return;
      isSoon = true;
      setTimeout(() => {
        isSoon = false;
        if (this.isConnected) changed();
      }, 50);
    };
    this.until(this.page.link.subscribe(topics, soon));
    this.until(this.page.onGap(soon));
  }

  /** Calls `end` when the view is left. */
  protected until(end: () => void): void {
    this.ends.add(end);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.left = new AbortController();
    this.classList.add("view");
    this.lostAt = this.page.lostAt();
    this.until(this.page.onLink(() => void this.linkChanged()));
    const topics = this.watched();
    if (topics.length > 0) this.watch(topics, () => void this.load());
    void this.load();
  }

  /** What was known stays grey until it has been asked for again. */
  private async linkChanged(): Promise<void> {
    if (this.page.lostAt() === undefined) await this.recall();
    const lostAt = this.page.lostAt();
    this.lostAt = lostAt && (this.lostAt ?? lostAt);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.left.abort();
    for (const end of this.ends) end();
    this.ends.clear();
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }
}
