/** The options to reach the gateway from a phone or another computer, each with its current state. */
import type { ReachView } from "@pincer/sdk";
import { html, nothing, type TemplateResult } from "lit";
import { commandLine } from "../../parts/command-line.ts";
import type { Say } from "../../texts/texts.ts";
import { proxyCommands, tailscaleAdvice, tunnelCommands } from "./reach-advice.ts";

export interface GuideParts {
  say: Say;
  reach: ReachView;
  /** What somebody typed as the name of their proxy. */
  proxyName: string;
  named(name: string): void;
  switchOn(): void;
  mayConfigure: boolean;
}

export const reachGuide = (parts: GuideParts): TemplateResult => html`
  <section class="stack" aria-labelledby="reach-title">
    <h3 id="reach-title">${parts.say("access.reach.title")}</h3>
    <p class="soft">${parts.say("access.reach.lead")}</p>
    ${addressTroubles(parts)}
    <div class="reach-ways">${tailscale(parts)} ${tunnel(parts)} ${proxy(parts)}</div>
  </section>
`;

/** Addresses that do not lead here, and why. */
function addressTroubles({ say, reach }: GuideParts): TemplateResult | typeof nothing {
  const wrong = reach.addresses.filter(({ leads }) => leads !== null && leads !== "here");
  if (wrong.length === 0) return nothing;
  return html`
    <ul class="plain-list">
      ${wrong.map(
        ({ address, leads }) => html`
          <li class="row">
            <span class="mono break">${address}</span>
            <span class="badge bad">${say(`access.leads.${leads ?? "unreachable"}`)}</span>
          </li>
        `,
      )}
    </ul>
  `;
}

function tailscale({ say, reach, switchOn, mayConfigure }: GuideParts): TemplateResult {
  const advice = tailscaleAdvice(reach);
  return html`
    <details open>
      <summary>${say("access.tailscale.title")}</summary>
      <div class="stack tight">
        <p class="soft">${say("access.tailscale.about")}</p>
        <p>${say(advice.key, advice.parameters)}</p>
        ${advice.commands.map((line) => commandLine(line, say))}
        ${
          advice.canSwitch && mayConfigure
            ? html`
                <div class="row">
                  <button type="button" @click=${switchOn}>${say("access.tailscale.switch")}</button>
                </div>
              `
            : nothing
        }
      </div>
    </details>
  `;
}

function tunnel({ say, reach }: GuideParts): TemplateResult {
  return html`
    <details>
      <summary>${say("access.tunnel.title")}</summary>
      <div class="stack tight">
        <p>${say("access.tunnel.about", { machine: reach.machine })}</p>
        ${tunnelCommands(reach).map((line) => commandLine(line, say))}
        <p class="soft">${say("access.tunnel.then")}</p>
      </div>
    </details>
  `;
}

function proxy({ say, reach, proxyName, named }: GuideParts): TemplateResult {
  const commands = proxyCommands(proxyName, reach);
  return html`
    <details>
      <summary>${say("access.proxy.title")}</summary>
      <div class="stack tight">
        <div class="field">
          <label for="proxy-name">${say("access.proxy.name")}</label>
          <input
            id="proxy-name"
            placeholder="pincer.example.com"
            autocomplete="off"
            spellcheck="false"
            .value=${proxyName}
            @input=${(event: Event) => named((event.target as HTMLInputElement).value)}
          />
        </div>
        <p>${say("access.proxy.about")}</p>
        ${commands.proxy.map((line) => commandLine(line, say))}
        <p>${say("access.proxy.config", { machine: reach.machine })}</p>
        ${commands.config.map((line) => commandLine(line, say))}
        <p class="soft">${say("access.proxy.keep")}</p>
      </div>
    </details>
  `;
}
