/** Removes the invisible parts of a page, where instructions to a model are hidden. */

/** The part of a document that is needed here; parsers have their own types. */
export interface PageNode {
  nodeType: number;
  childNodes: Iterable<PageNode>;
  remove(): void;
}
export interface PageElement extends PageNode {
  tagName: string;
  textContent: string | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

export function removeHiddenParts(root: PageElement): void {
  for (const element of hiddenByRules(root)) element.remove();
  for (const element of Array.from(root.querySelectorAll("*"))) {
    if (neverSeen.includes(element.tagName.toLowerCase()) || isHidden(element)) element.remove();
    else for (const name of unseenWords) element.removeAttribute(name);
  }
  removeComments(root);
}

const neverSeen = [
  "script style noscript template iframe object embed svg canvas audio video math img picture source map area",
  "link meta datalist input textarea select dialog",
]
  .join(" ")
  .split(" ");

/** Shown, if at all, only on hover. */
const unseenWords = ["title", "alt", "aria-label", "aria-description"];

const comment = 8;

function removeComments(node: PageNode): void {
  for (const child of Array.from(node.childNodes)) {
    if (child.nodeType === comment) child.remove();
    else removeComments(child);
  }
}

function isHidden(element: PageElement): boolean {
  return (
    element.getAttribute("hidden") !== null ||
    element.getAttribute("aria-hidden")?.toLowerCase() === "true" ||
    isHiding(element.getAttribute("style") ?? "")
  );
}

/** Whether style declarations hide the element. */
function isHiding(style: string): boolean {
  if (style === "") return false;
  const plain = style
    .toLowerCase()
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/!\s*important/g, "");
  const said = new Map(
    plain.split(";").map((declaration) => {
      const colon = declaration.indexOf(":");
      return [declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim()] as const;
    }),
  );
  const of = (name: string) => said.get(name) ?? "";
  const isNothing = (name: string) =>
    /^[-+]?0*\.?0*(px|r?em|ex|ch|pt|v[wh]|%)?$/.test(of(name)) && of(name) !== "";
  const isTiny = (name: string) => /^0*[01](\.\d+)?px$/.test(of(name));
  const isFarAway = (name: string) => /^-\d{3,}/.test(of(name));
  const color = of("color");
  return (
    of("display") === "none" ||
    ["hidden", "collapse"].includes(of("visibility")) ||
    of("content-visibility") === "hidden" ||
    /^0*\.?0\d*%?$/.test(of("opacity")) ||
    ["font-size", "width", "height", "max-width", "max-height", "zoom"].some(isNothing) ||
    isTiny("font-size") ||
    (isTiny("width") && isTiny("height")) ||
    ["left", "right", "top", "bottom", "text-indent", "margin-left", "margin-top"].some(isFarAway) ||
    /^(rect|inset|circle)\(\s*(0|1px|50%|100%)/.test(of("clip") || of("clip-path")) ||
    /scale[xy3d]*\(\s*0*\.?0*\s*[,)]/.test(of("transform")) ||
    /^(transparent|rgba\(.*,\s*0*\.?0*\s*\)|hsla\(.*,\s*0*\.?0*\s*\))$/.test(color) ||
    (color !== "" && color === (of("background-color") || of("background")))
  );
}

/** At most this many rules are checked; a page with a million is cut off by the timeout anyway. */
const mostRules = 5000;
/** Such rules delay whole pages, which appear all the same. */
const wholes = ["html", "head", "body", "main", "article"];

function hiddenByRules(root: PageElement): PageElement[] {
  const hidden: PageElement[] = [];
  const sheets = [...root.querySelectorAll("style")].map(({ textContent }) => textContent ?? "");
  const plain = sheets.join("\n").replace(/\/\*.*?\*\//gs, "");
  let seen = 0;
  for (const [, selector = "", style = ""] of plain.matchAll(/([^{}@;]+)\{([^{}]*)\}/g)) {
    if ((seen += 1) > mostRules) break;
    // What depends on the pointer counts as visible.
    if (!isHiding(style) || selector.includes(":")) continue;
    hidden.push(...matching(root, selector));
  }
  return hidden.filter(({ tagName }) => !wholes.includes(tagName.toLowerCase()));
}

function matching(root: PageElement, selector: string): PageElement[] {
  try {
    return [...root.querySelectorAll(selector.trim())];
  } catch {
    // A selector unknown to the parser matches nothing.
    return [];
  }
}
