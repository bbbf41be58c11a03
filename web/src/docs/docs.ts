/** The scripts of the documentation pages: search, copying, the menu of small screens, light and dark. */
import type { Hit, SearchIndex } from "./search.ts";

const by = <Kind extends HTMLElement>(id: string): Kind => document.getElementById(id) as Kind;

copyButtons();
scrollable();
addEventListener("resize", scrollable);
menu();
theme();
followContents();
searching();

function copyButtons(): void {
  for (const block of document.querySelectorAll<HTMLElement>("pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const done = await copy(block.querySelector("code")?.textContent ?? "");
      button.textContent = done ? "Copied" : "Not copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

/** Pages that came over plain HTTP from another machine have no clipboard. */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

/** What is wider than the screen can be reached with the keyboard, and only that. */
function scrollable(): void {
  for (const box of document.querySelectorAll<HTMLElement>("pre, .table")) {
    const isWider = box.scrollWidth > box.clientWidth;
    if (isWider) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
    if (isWider) box.setAttribute("role", "region");
    else box.removeAttribute("role");
    if (isWider)
      box.setAttribute(
        "aria-label",
        box.matches("pre") ? "Code, wider than the page" : "Table, wider than the page",
      );
    else box.removeAttribute("aria-label");
  }
}

function menu(): void {
  const button = by<HTMLButtonElement>("menu");
  const show = (open: boolean) => {
    document.body.classList.toggle("menu-open", open);
    button.setAttribute("aria-expanded", String(open));
  };
  button.addEventListener("click", () => show(!document.body.classList.contains("menu-open")));
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !document.body.classList.contains("menu-open")) return;
    show(false);
    button.focus();
  });
  const current = document.querySelector<HTMLElement>("[aria-current=page]");
  const pages = by("pages");
  if (current && current.offsetTop > pages.clientHeight)
    pages.scrollTop = current.offsetTop - pages.clientHeight / 2;
}

function theme(): void {
  by("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const isDark = root.dataset["theme"]
      ? root.dataset["theme"] === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset["theme"] = isDark ? "light" : "dark";
    localStorage.setItem("pincer.theme", root.dataset["theme"]);
  });
}

/** Marks the section that is being read in the list at the side. */
function followContents(): void {
  const links = new Map(
    Array.from(document.querySelectorAll<HTMLAnchorElement>(".contents a"), (link) => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  );
  if (links.size === 0) return;
  const headings = Array.from(document.querySelectorAll<HTMLElement>("h2, h3")).filter(({ id }) =>
    links.has(id),
  );
  const mark = () => {
    const read = headings.findLast((heading) => heading.getBoundingClientRect().top < 140) ?? headings[0];
    for (const [id, link] of links) {
      if (id === read?.id) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  };
  addEventListener("scroll", () => requestAnimationFrame(mark), { passive: true });
  mark();
}

function searching(): void {
  const box = by<HTMLInputElement>("query");
  const list = by("hits");
  const status = by("found");
  let loading: Promise<(query: string) => Hit[]> | undefined;
  let at = -1;

  async function load(): Promise<(query: string) => Hit[]> {
    const [{ createSearch }, response] = await Promise.all([
      import("./search.ts"),
      fetch("/docs/assets/search.json"),
    ]);
    return createSearch((await response.json()) as SearchIndex);
  }

  async function show(): Promise<void> {
    const query = box.value.trim();
    if (query === "") return hide();
    const find = await (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    }));
    if (box.value.trim() !== query) return;
    const hits = find(query);
    at = -1;
    list.replaceChildren(...hits.map(rowOf));
    if (hits.length === 0) list.append(nothing(query));
    list.hidden = false;
    box.setAttribute("aria-expanded", "true");
    box.removeAttribute("aria-activedescendant");
    status.textContent = hits.length === 0 ? "Nothing found" : `${hits.length} found`;
  }

  function hide(): void {
    list.hidden = true;
    at = -1;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }

  function choose(next: number): void {
    const rows = Array.from(list.querySelectorAll<HTMLElement>("[role=option]"));
    if (rows.length === 0) return;
    at = (next + rows.length) % rows.length;
    rows.forEach((row, index) => row.setAttribute("aria-selected", String(index === at)));
    rows[at]?.scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", rows[at]?.id ?? "");
  }

  box.addEventListener("input", () => void show());
  box.addEventListener("focus", () => box.value.trim() !== "" && void show());
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") choose(at + 1);
    else if (event.key === "ArrowUp") choose(at < 0 ? -1 : at - 1);
    else if (event.key === "Escape") hide();
    else return;
    event.preventDefault();
  });
  by("search").addEventListener("submit", (event) => {
    event.preventDefault();
    const rows = list.querySelectorAll<HTMLAnchorElement>("a[role=option]");
    const row = rows[Math.max(at, 0)];
    if (!list.hidden && row) row.click();
  });
  addEventListener("click", (event) => {
    if (!(event.target instanceof Node) || by("search").contains(event.target)) return;
    hide();
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    box.focus();
  });
  list.addEventListener("click", hide);
}

function rowOf(hit: Hit, index: number): HTMLElement {
  const row = document.createElement("a");
  row.id = `hit-${index}`;
  row.href = hit.address;
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", "false");
  row.tabIndex = -1;
  const place = hit.heading === hit.title ? hit.group : `${hit.group} · ${hit.title}`;
  row.append(part("strong", hit.heading), part("small", place), part("span", hit.lead));
  return row;
}

function part(tag: string, text: string): HTMLElement {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

function nothing(query: string): HTMLElement {
  const row = part("p", `Nothing about “${query}”.`);
  row.setAttribute("role", "option");
  row.setAttribute("aria-disabled", "true");
  row.setAttribute("aria-selected", "false");
  return row;
}
