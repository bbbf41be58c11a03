/** Icons, drawn as lines in the colour of the text around them. Screen readers skip them. */
import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";

const shapes = {
  chat: svg`<path d="M4 5h16v11H9l-5 4z" />`,
  list: svg`<path d="M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01" />`,
  shield: svg`<path d="M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z" /><path d="M9 12l2 2 4-4" />`,
  plug: svg`<path d="M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4" />`,
  cpu: svg`<rect x="6" y="6" width="12" height="12" rx="2" /><path d="M9 2v4M15 2v4M9 18v4M15 18v4M2 9h4M2 15h4M18 9h4M18 15h4" />`,
  chart: svg`<path d="M4 20V10M10 20V4M16 20v-7M22 20H2" />`,
  timeline: svg`<path d="M4 6h9M8 12h10M12 18h8" /><path d="M3 3v18" />`,
  sliders: svg`<path d="M4 7h10M18 7h2M4 17h2M10 17h10" /><circle cx="16" cy="7" r="2" /><circle cx="8" cy="17" r="2" />`,
  pulse: svg`<path d="M2 12h5l3-8 4 16 3-8h5" />`,
  key: svg`<circle cx="8" cy="15" r="4" /><path d="M11 12l9-9M17 6l3 3" />`,
  star: svg`<path d="M12 3l2.7 5.8 6.3.7-4.7 4.3 1.3 6.2-5.6-3.1L6.4 20l1.3-6.2L3 9.5l6.3-.7z" />`,
  bell: svg`<path d="M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4" />`,
  menu: svg`<path d="M4 6h16M4 12h16M4 18h16" />`,
  close: svg`<path d="M5 5l14 14M19 5L5 19" />`,
  copy: svg`<rect x="8" y="8" width="12" height="12" rx="2" /><path d="M16 8V4H4v12h4" />`,
  check: svg`<path d="M4 12l5 6L20 6" />`,
  send: svg`<path d="M4 12l16-8-6 16-3-7z" />`,
  stop: svg`<rect x="6" y="6" width="12" height="12" rx="1" />`,
  plus: svg`<path d="M12 5v14M5 12h14" />`,
  more: svg`<path d="M5 12h.01M12 12h.01M19 12h.01" />`,
  trash: svg`<path d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13" />`,
  edit: svg`<path d="M4 20l1-4L16 5l3 3L8 19zM14 7l3 3" />`,
  retry: svg`<path d="M20 12a8 8 0 1 1-2.5-5.8M20 3v5h-5" />`,
  search: svg`<circle cx="11" cy="11" r="6" /><path d="M16 16l5 5" />`,
  attach: svg`<path d="M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.3 3.3 0 0 1 4.7 4.7L9.5 17a1.6 1.6 0 0 1-2.4-2.4L14 8" />`,
  down: svg`<path d="M6 9l6 6 6-6" />`,
  right: svg`<path d="M9 6l6 6-6 6" />`,
  up: svg`<path d="M6 15l6-6 6 6" />`,
  download: svg`<path d="M12 3v12M7 11l5 5 5-5M4 20h16" />`,
  external: svg`<path d="M14 4h6v6M20 4l-9 9M18 14v6H4V6h6" />`,
  warning: svg`<path d="M12 3l10 18H2zM12 10v5M12 18h.01" />`,
  info: svg`<circle cx="12" cy="12" r="9" /><path d="M12 11v6M12 7h.01" />`,
  tool: svg`<path d="M20 7a5 5 0 0 1-6.5 6.5L6 21l-3-3 7.5-7.5A5 5 0 0 1 17 4l-3 3 3 3z" />`,
  think: svg`<path d="M9 18h6M10 21h4M12 3a6 6 0 0 0-3.5 10.9c.5.5.5 1.1.5 2.1h6c0-1 0-1.600.5-2.100A6 6 0 0 0 12 3z" />`,
  undo: svg`<path d="M9 7L4 12l5 5M4 12h10a6 6 0 0 1 0 12" transform="translate(0 -3)" />`,
  user: svg`<circle cx="12" cy="8" r="4" /><path d="M4 21a8 8 0 0 1 16 0" />`,
  clock: svg`<circle cx="12" cy="12" r="9" /><path d="M12 7v5l3 3" />`,
  book: svg`<path d="M4 5a2 2 0 0 1 2-2h14v16H6a2 2 0 0 0-2 2zM4 5v16" />`,
  exit: svg`<path d="M14 4h6v16h-6M3 12h11M10 8l4 4-4 4" />`,
} satisfies Record<string, SVGTemplateResult>;

export type IconName = keyof typeof shapes;

export const icon = (name: IconName): TemplateResult => html`
  <svg
    class="icon"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${shapes[name]}
  </svg>
`;
