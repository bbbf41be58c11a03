/** Puts the failpoints around what the product touches: every verb of its stores, the sync of its log, its model and its tools. */
import type { Model, Tool } from "@pincer/sdk";
import type { TenantStores } from "../../../src/storage/storage.ts";
import type { Failpoints } from "./failpoints.ts";

/** Points `<store>.<verb>:before` and `:after`; the calls begin in the order in which they are made, as without. */
export function watchStores(stores: TenantStores, { reach }: Pick<Failpoints, "reach">): TenantStores {
  const watched = Object.entries(stores).map(([name, store]) => [
    name,
    watchStore(name, store as object, reach),
  ]);
  return Object.fromEntries(watched) as TenantStores;
}

function watchStore<Store extends object>(name: string, store: Store, reach: (point: string) => void): Store {
  return new Proxy(store, {
    get(target, property) {
      const verb = Reflect.get(target, property) as unknown;
      if (typeof verb !== "function" || typeof property !== "string") return verb;
      return async (...args: unknown[]) => {
        reach(`${name}.${property}:before`);
        const result = (await Reflect.apply(verb, target, args)) as unknown;
        reach(`${name}.${property}:after`);
        return result;
      };
    },
  });
}

/** Points `sync:before` (committed, not yet on the disk) and `sync:after`. */
export const watchSync =
  (fdatasync: (descriptor: number) => Promise<void>, { reach }: Pick<Failpoints, "reach">) =>
  async (descriptor: number): Promise<void> => {
    reach("sync:before");
    await fdatasync(descriptor);
    reach("sync:after");
  };

/** Points `model.begin`, `model.<kind of event>` before the product sees the event, and `model.over`. */
export const watchModel = (model: Model, { reach }: Pick<Failpoints, "reach">): Model => ({
  provider: model.provider,
  id: model.id,
  async *stream(request) {
    reach("model.begin");
    for await (const event of model.stream(request)) {
      reach(`model.${event.type}`);
      yield event;
    }
    reach("model.over");
  },
});

/** Points `tool.<name>:before` and `:after`. */
export const watchTool = (tool: Tool, { reach }: Pick<Failpoints, "reach">): Tool => ({
  ...tool,
  async run(input, call) {
    reach(`tool.${tool.name}:before`);
    const output = await tool.run(input, call);
    reach(`tool.${tool.name}:after`);
    return output;
  },
});
