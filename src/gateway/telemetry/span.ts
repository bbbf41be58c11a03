/** One finished piece of work in a trace. */
export interface Span {
  /** 32 hexadecimal digits, not all zero. */
  traceId: string;
  /** 16 hexadecimal digits, not all zero. */
  spanId: string;
  parentSpanId: string | undefined;
  name: "access_in" | "gateway_route" | "core_run" | "tool_execute" | "gateway_out";
  kind: "internal" | "server" | "client";
  startMs: number;
  endMs: number;
  /** Names and ids, never what anybody said. */
  attributes: Record<string, string | number | boolean>;
  /** Where it did not go well. */
  error: string | undefined;
}
