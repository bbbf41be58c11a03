import { methods, type MethodName } from "@pincer/sdk";
import { whenNeeded } from "../infra/when-needed.ts";
import {
  connectionMethods,
  type HandledMethod,
  type MethodCall,
  type MethodHandlers,
} from "./method-calls.ts";

/** One for every method that there is; what stands behind them is made with the first one that is called. */
export function handlersWhenNeeded(make: () => Promise<Partial<MethodHandlers>>): Partial<MethodHandlers> {
  const made = whenNeeded(make);
  const names = (Object.keys(methods) as MethodName[]).filter(
    (name): name is HandledMethod => !connectionMethods.has(name),
  );
  const handler = (name: HandledMethod) => async (params: never, call: MethodCall) => {
    const handlers = await made();
    const found = handlers[name] as ((params: never, call: MethodCall) => Promise<never>) | undefined;
    if (!found) throw new Error(`nobody answers ${name}`);
    return found(params, call);
  };
  return Object.fromEntries(names.map((name) => [name, handler(name)])) as Partial<MethodHandlers>;
}
