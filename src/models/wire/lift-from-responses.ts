/** OpenAI's responses: each item of an answer begins, grows and is said once more as a whole. */
import type { ArgumentBuffer, ShelvedArguments } from "./argument-buffer.ts";
import { lifted, nothingElse, textOf, type Lifted } from "./lifted.ts";

interface ResponsesItem {
  type?: string;
  arguments?: unknown;
}

interface ResponsesEvent {
  type?: string;
  output_index?: number;
  delta?: string;
  arguments?: unknown;
  item?: ResponsesItem;
  response?: { output?: ResponsesItem[] };
}

export function liftFromResponses(shelf: ArgumentBuffer): (event: unknown) => Lifted {
  const byIndex = new Map<number, ShelvedArguments>();
  let hasItems = false;
  const placeAt = (index: number): ShelvedArguments => {
    const place = byIndex.get(index) ?? shelf.open();
    byIndex.set(index, place);
    return place;
  };

  /** Some servers say the items only with the whole answer, where the library does not look for them. */
  function itemsBefore(event: unknown, items: ResponsesItem[]): Lifted {
    const events = items.map((item, index) => {
      const isCall = item.type === "function_call";
      const said = isCall ? { ...item, arguments: whole(placeAt(index), item.arguments) } : item;
      const value = { type: "response.output_item.done", output_index: index, item: said };
      return { name: "event: response.output_item.done", value };
    });
    return [...events, { value: event }];
  }

  return (event) => {
    const said = event as ResponsesEvent;
    const index = said.output_index ?? 0;
    const { item, response } = said;
    switch (said.type) {
      case "response.output_item.added":
        hasItems = true;
        if (item?.type !== "function_call") return "keep";
        byIndex.delete(index);
        placeAt(index).append(textOf(item.arguments));
        item.arguments = "";
        return [{ value: event }];
      case "response.function_call_arguments.delta":
        said.delta = lifted(placeAt(index), textOf(said.delta));
        return said.delta === "" ? nothingElse(placeAt(index)) : [{ value: event }];
      case "response.function_call_arguments.done":
        said.arguments = whole(placeAt(index), said.arguments);
        return [{ value: event }];
      case "response.output_item.done":
        hasItems = true;
        if (item?.type !== "function_call") return "keep";
        item.arguments = whole(placeAt(index), item.arguments);
        return [{ value: event }];
      case "response.completed":
      case "response.incomplete":
        if (hasItems || !Array.isArray(response?.output) || response.output.length === 0) return "keep";
        return itemsBefore(event, response.output);
      default:
        return "keep";
    }
  };
}

/** What goes on in place of all arguments at once, which counts more than the pieces. */
function whole(place: ShelvedArguments, said: unknown): string {
  const text = textOf(said);
  if (text) place.replace(text);
  if (place.text() === "" && !place.isTooLong()) return "";
  place.isAnnounced = true;
  return place.standIn;
}
