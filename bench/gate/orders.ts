/** Orders as texts give them to a model that obeys: `⟦tool {json} or tool {json}⟧`, `⟦say words⟧`. */
import type { Order } from "./case.ts";

export interface FoundOrders {
  calls: Order[];
  says: string[];
}

/** Each once, in the order in which they stand there. What cannot be read is no order. */
export function findOrders(text: string): FoundOrders {
  const found = [...new Set([...text.matchAll(/⟦([^⟦⟧]+)⟧/g)].map(([, body = ""]) => body.trim()))];
  return {
    calls: found.flatMap((body) => (body.startsWith("say ") ? [] : (readOrder(body) ?? []))),
    says: found.flatMap((body) => (body.startsWith("say ") ? [unescaped(body.slice(4))] : [])),
  };
}

function readOrder(body: string): Order | undefined {
  const [first, ...otherwise] =
    readCalls(body) ?? readCalls(unescaped(body)) ?? readCalls(unescaped(unquoted(body))) ?? [];
  return first && { ...first, ...(otherwise.length > 0 && { otherwise }) };
}

function readCalls(body: string): Order[] | undefined {
  const calls: Order[] = [];
  let rest = body.trim();
  while (rest !== "") {
    const [head, call = ""] = /^(?:or\s+)?([a-z_]+)\s*/.exec(rest) ?? [];
    if (head === undefined) return undefined;
    rest = rest.slice(head.length);
    const end = objectEnd(rest);
    if (end === undefined) return undefined;
    try {
      calls.push({ call, with: JSON.parse(rest.slice(0, end)) as Record<string, unknown> });
    } catch {
      // Broken on its way, as by a page that is shown in parts.
      return undefined;
    }
    rest = rest.slice(end).trim();
  }
  return calls;
}

/** Behind the brace that closes the first one. */
function objectEnd(text: string): number | undefined {
  if (text[0] !== "{") return undefined;
  let depth = 0;
  let isQuoted = false;
  for (let index = 0; index < text.length; index++) {
    const letter = text[index];
    if (letter === "\\") index++;
    else if (letter === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (letter === "{") depth++;
    else if (letter === "}" && --depth === 0) return index + 1;
  }
  return undefined;
}

/** As it was before a page became Markdown. */
const unescaped = (text: string): string => text.replaceAll(/\\([^"\\/bfnrtu])/g, "$1");

/** As it was before it became a text within JSON. */
const unquoted = (text: string): string => text.replaceAll(/\\(["\\])/g, "$1");
