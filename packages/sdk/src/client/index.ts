export { LinkError } from "./link-error.ts";
export {
  createGatewayLink,
  type GatewayLink,
  type GatewayLinkParts,
  type LinkGap,
  type LinkState,
} from "./gateway-link.ts";
export type { LinkSocket } from "./link-socket.ts";
export type { RequestOptions } from "./pending-requests.ts";
