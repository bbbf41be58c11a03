/** Reports whether no model is connected, now and whenever the config changes. */
import type { GatewayLink } from "@pincer/sdk/client";
import type { Language } from "../texts/texts.ts";

export function followModel(
  link: GatewayLink,
  language: Language,
  tell: (lacksModel: boolean) => void,
): void {
  const look = async (): Promise<void> => {
    try {
      const { done, model } = await link.request("setup.status", { language });
      tell(!done && !model.ready);
    } catch {
      // Callers without the permission get no hint.
      tell(false);
    }
  };
  link.subscribe(["config"], () => void look());
  void look();
}
