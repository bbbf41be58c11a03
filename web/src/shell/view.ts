/** What all views have in common: they live in the page's own tree, ask the gateway, and follow what changes. */
import type { EventTopic, MethodName, MethodParams, MethodResults } from "@pincer/sdk";
import { LinkError } from "@pincer/sdk/client";
import { LitElement, type PropertyDeclarations } from "lit";
import type { Say } from "../texts/texts.ts";
import type { Page } from "./page.ts";

type AskParams<Name extends MethodName> = Omit<MethodParams<Name>, "idempotencyKey"> & {
  idempotencyKey?: string;
};

export abstract class View extends LitElement {
  static override properties: PropertyDeclarations = {
    page: { attribute: false },
    rest: { attribute: false },
  };

  /** Set before the view is connected. */
  declare page: Page;
  /** What follows the route in the address: "agent:main:main" of "#/chat/agent:main:main". */
  declare rest: string;
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

  protected get say(): Say {
    return this.page.say;
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
    const topics = this.watched();
    if (topics.length > 0) this.watch(topics, () => void this.load());
    void this.load();
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
