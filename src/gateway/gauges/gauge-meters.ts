/** Every meter, declared in one place with its name and description. */
import type { Meters } from "../../infra/meters.ts";

export type GaugeMeters = ReturnType<typeof declareMeters>;

/** Seconds. */
const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const turnBounds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];
const callBounds = [0, 1, 2, 3, 5, 8, 13, 21, 50];

export const requestName = "pincer_http_request_seconds";
export const turnName = "pincer_turn_seconds";
export const toolCallsName = "pincer_turn_tool_calls";

export function declareMeters(meters: Meters) {
  const gauge = (name: string, help: string, labels?: string[]) =>
    meters.gauge({ name, help, ...(labels && { labels }) });
  const counter = (name: string, help: string, labels?: string[]) =>
    meters.counter({ name, help, ...(labels && { labels }) });
  return {
    requests: counter("pincer_http_requests_total", "HTTP requests, by route, method and status.", [
      "route",
      "method",
      "status",
    ]),
    requestSeconds: meters.histogram({
      name: requestName,
      help: "How long HTTP requests took, in seconds.",
      labels: ["route"],
      bounds: requestBounds,
    }),
    calls: counter(
      "pincer_rpc_requests_total",
      "Requests over the socket and WebSocket, by method and outcome.",
      ["method", "outcome"],
    ),
    limited: counter(
      "pincer_rate_limited_total",
      "Requests and connections refused by a rate limit, by kind.",
      ["kind"],
    ),
    connections: gauge("pincer_connections", "Open connections.", ["kind"]),

    turns: counter("pincer_turns_total", "Ended turns, by ending.", ["ending"]),
    turnSeconds: meters.histogram({
      name: turnName,
      help: "From the beginning of a turn to its end, in seconds.",
      bounds: turnBounds,
    }),
    queueSeconds: meters.histogram({
      name: "pincer_turn_queue_seconds",
      help: "How long turns waited before they began, in seconds.",
      bounds: turnBounds,
    }),
    turnToolCalls: meters.histogram({
      name: toolCallsName,
      help: "Tool calls in a turn.",
      bounds: callBounds,
    }),
    toolCalls: counter("pincer_tool_calls_total", "Tool calls, by tool and outcome.", ["tool", "outcome"]),
    interruptions: counter(
      "pincer_stream_interruptions_total",
      "Answers of models that broke off and began anew, or did not come to their end.",
    ),

    modelCalls: counter("pincer_model_calls_total", "Requests to models, by model and outcome.", [
      "model",
      "outcome",
    ]),
    modelSeconds: meters.histogram({
      name: "pincer_model_call_seconds",
      help: "How long requests to models took, in seconds.",
      labels: ["model"],
      bounds: turnBounds,
    }),
    modelTokens: counter("pincer_model_tokens_total", "Tokens, by model and kind.", ["model", "kind"]),
    modelCost: counter("pincer_model_cost_dollars_total", "What models cost, in US dollars.", ["model"]),
    modelTimeouts: counter("pincer_model_timeouts_total", "Requests that a model did not answer in time.", [
      "model",
    ]),
    modelFallbacks: counter("pincer_model_fallbacks_total", "Requests that continued with another model.", [
      "from",
      "to",
    ]),

    pairings: counter("pincer_pairing_requests_total", "Strangers who were offered pairing.", ["channel"]),
    refusals: counter("pincer_door_refusals_total", "Messages refused for lack of access, by reason.", [
      "reason",
    ]),
    approvals: counter("pincer_approval_requests_total", "Approval requests to the owner."),
    approvalAnswers: counter("pincer_approval_answers_total", "Answers to approval requests, by outcome.", [
      "state",
    ]),
    denials: counter("pincer_denials_total", "Tool calls that the gate denied."),
    signIns: counter("pincer_sign_ins_total", "Sign-ins, by outcome.", ["outcome"]),

    deliveries: counter("pincer_deliveries_total", "Outgoing messages, by outcome.", ["channel", "outcome"]),
    channelHealth: gauge("pincer_channel_health", "Health of a channel: 2 green, 1 yellow, 0 red.", [
      "channel",
      "account",
    ]),
    channelProof: gauge(
      "pincer_channel_proof_age_seconds",
      "Seconds since something proved that the channel hears; absent where nothing ever did.",
      ["channel", "account"],
    ),
    channelAlarms: gauge(
      "pincer_channel_deaf_alarms",
      "Alarms about a deaf channel since the start, by kind.",
      ["channel", "account", "kind"],
    ),
    channelBacklog: gauge("pincer_channel_backlog", "Outgoing messages that wait.", ["channel", "account"]),

    waiting: gauge("pincer_waiting", "What waits: inbox, turns, outbox, approvals, notices, dead_letters.", [
      "what",
    ]),
    oldest: gauge(
      "pincer_oldest_seconds",
      "Since when the oldest of them waits; absent where nothing does.",
      ["what"],
    ),
    running: gauge("pincer_turns_running", "Running turns."),
    loop: gauge("pincer_event_loop_delay_seconds", "Event loop delay.", ["quantile"]),
    memory: gauge("pincer_memory_bytes", "Memory of the process.", ["kind"]),
    database: gauge("pincer_database_bytes", "Size of the database."),
    uptime: gauge("pincer_uptime_seconds", "Seconds since the start."),
    status: gauge("pincer_health", "Health of the gateway: 2 ok, 1 degraded, 0 failing."),
  };
}
