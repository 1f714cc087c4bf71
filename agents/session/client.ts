import type { Logger } from 'pino';
import { io, type Socket } from 'socket.io-client';
import { type FromAgent, protocolVersions, type ToAgent, type Welcome } from '#control/protocol/agent.ts';
import { Backoff } from '#db/platform/runtime/backoff.ts';
import { unixHttpAgent } from '#db/platform/runtime/unix-http-agent.ts';

export type AgentSocket = Socket<ToAgent, FromAgent>;

/** The control plane rejected this agent: trying again changes nothing. */
export class ConnectionRejected extends Error {}

/** Refusals of the handshake that a retry cannot change. */
const final_refusals = ['join_token_invalid', 'agent_secret_invalid', 'agent_protocol'];

export interface ConnectionOptions {
  /** Addresses of control planes: when one fails, the next is tried. */
  urls: readonly string[];
  log: Logger;
  agent_version: string;
  boot_id: string;
  /** Credentials: node and secret, or the join token. */
  credentials(): { node_id?: string; secret?: string; join_token?: string };
  onWelcome(message: Welcome, socket: AgentSocket): void;
  /** The connection was lost; the client connects again. */
  onDisconnect(): void;
  onRejected(error: ConnectionRejected): void;
}

/** Between rounds through all addresses. Another plane has to have the agent within 10 s. */
const retry_bounds = { min_ms: 500, max_ms: 5_000 };
/** Before the next address at most, at random: many agents of one plane come at the same moment. */
const next_address_ms = 300;
/** An address that says nothing for so long fails: sooner when there are others. */
const connect_timeouts = { only: 15_000, one_of_many: 3_000 };
/**
 * Disconnected by the control plane within this time: another agent probably uses this node, and reconnecting quickly
 * helps neither.
 */
const kicked_window_ms = 60_000;
const kicked_retry_bounds = { min_ms: 1_000, max_ms: 300_000 };

export interface Connection {
  socket: AgentSocket;
  /** The address in use. */
  url(): string;
  /** Gives up this connection and connects again, to the next address. */
  reconnect(): void;
  close(): void;
}

/**
 * Connects to a control plane and stays connected: one WebSocket, to one of the addresses at first by chance, then to the
 * next after each failure, with growing random pauses between rounds.
 */
export function connect(options: ConnectionOptions): Connection {
  const { urls, log } = options;
  const pauses = new Backoff(retry_bounds);
  const kickedPauses = new Backoff(kicked_retry_bounds);
  let at = Math.floor(Math.random() * urls.length);
  /** Addresses that failed since the last welcome; how many of the last ones with a final refusal. */
  let failures = 0;
  let rejections = 0;
  let welcomed = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const socket: AgentSocket = io(`${addressOf(urls[at]!).origin}/agent`, {
    path: '/socket.io',
    transports: ['websocket'],
    autoConnect: false,
    // the retry rules below replace those of the library
    reconnection: false,
    timeout: urls.length > 1 ? connect_timeouts.one_of_many : connect_timeouts.only,
    auth: (give) =>
      give({
        ...options.credentials(),
        protocol: [protocolVersions.min, protocolVersions.max],
        agent_version: options.agent_version,
        boot_id: options.boot_id,
        clock: Date.now(),
      }),
  });
  // the library has no method to change the address of a socket
  const manager = socket.io as unknown as { uri: string; opts: { agent?: unknown } };
  const connectTo = (url: string) => {
    const { origin, agent } = addressOf(url);
    [manager.uri, manager.opts.agent] = [origin, agent];
    socket.connect();
  };
  const reconnectAfter = (pause_ms: number) => {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => connectTo(urls[at]!), pause_ms);
  };
  const tryNext = () => {
    failures += 1;
    at = (at + 1) % urls.length;
    const is_new_round = failures % urls.length === 0;
    reconnectAfter(is_new_round ? pauses.next() : Math.random() * next_address_ms);
  };
  socket.on('welcome', (message) => {
    pauses.reset();
    [failures, rejections] = [0, 0];
    welcomed = Date.now();
    options.onWelcome(message, socket);
  });
  socket.on('connect_error', (error: Error & { data?: { error?: string; description?: string } }) => {
    // planes of different releases may refuse different agents
    rejections = final_refusals.includes(error.data?.error ?? '') ? rejections + 1 : 0;
    if (rejections >= urls.length) {
      closed = true;
      options.onRejected(new ConnectionRejected(error.data?.description ?? error.message));
      return;
    }
    log.debug({ err: error, url: urls[at] }, 'The control plane could not be reached');
    tryNext();
  });
  socket.on('disconnect', (reason) => {
    options.onDisconnect();
    if (closed) return;
    const kicked = reason === 'io server disconnect';
    if (!kicked || Date.now() - welcomed >= kicked_window_ms) kickedPauses.reset();
    if (kicked) reconnectAfter(kickedPauses.next());
    else tryNext();
    if (kickedPauses.failures > 1)
      log.warn('The control plane disconnected this agent again: does another agent use this node?');
  });
  connectTo(urls[at]!);
  return {
    socket,
    url: () => urls[at]!,
    reconnect: () => void socket.disconnect(),
    close() {
      closed = true;
      clearTimeout(timer);
      socket.disconnect();
    },
  };
}

/** The address as the library wants it: a unix socket has an agent that opens it for every address. */
const addressOf = (url: string) =>
  url.startsWith('unix:')
    ? { origin: 'http://localhost', agent: unixHttpAgent(url.slice('unix:'.length)) }
    : { origin: url, agent: undefined };
