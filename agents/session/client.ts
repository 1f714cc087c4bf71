import { Agent as HttpAgent } from 'node:http';
import { connect as connectSocket } from 'node:net';
import type { Logger } from 'pino';
import { io, type Socket } from 'socket.io-client';
import { type FromAgent, protocolVersions, type ToAgent, type Welcome } from '#control/protocol/agent.ts';
import { Backoff } from '#db/runtime/backoff.ts';

export type AgentSocket = Socket<ToAgent, FromAgent>;

/** The control plane rejected this agent: trying again changes nothing. */
export class ConnectionRejected extends Error {}

/** Refusals of the handshake that a retry cannot change. */
const final_refusals = ['join_token_invalid', 'agent_secret_invalid', 'agent_protocol'];

export interface ConnectionOptions {
  url: string;
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

const retry_bounds = { min_ms: 500, max_ms: 10_000 };
/**
 * Disconnected by the control plane within this time: another agent probably uses this node, and reconnecting quickly
 * helps neither.
 */
const kicked_window_ms = 60_000;
const kicked_retry_bounds = { min_ms: 1_000, max_ms: 300_000 };

/** Connects to the control plane and stays connected: one WebSocket, with growing random pauses between attempts. */
export function connect(options: ConnectionOptions): { socket: AgentSocket; close(): void } {
  const { url, log } = options;
  const unix = url.startsWith('unix:');
  const pauses = new Backoff(retry_bounds);
  const kickedPauses = new Backoff(kicked_retry_bounds);
  let welcomed = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const reconnectAfter = (pause_ms: number) => {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => socket.connect(), pause_ms);
  };
  const socket: AgentSocket = io(`${unix ? 'http://localhost' : url}/agent`, {
    path: '/socket.io',
    transports: ['websocket'],
    autoConnect: false,
    // the retry rules below replace those of the library
    reconnection: false,
    timeout: 15_000,
    ...(unix ? { agent: unixAgent(url.slice('unix:'.length)) as never } : {}),
    auth: (give) =>
      give({
        ...options.credentials(),
        protocol: [protocolVersions.min, protocolVersions.max],
        agent_version: options.agent_version,
        boot_id: options.boot_id,
        clock: Date.now(),
      }),
  });
  socket.on('welcome', (message) => {
    pauses.reset();
    welcomed = Date.now();
    options.onWelcome(message, socket);
  });
  socket.on('connect_error', (error: Error & { data?: { error?: string; description?: string } }) => {
    if (final_refusals.includes(error.data?.error ?? '')) {
      closed = true;
      options.onRejected(new ConnectionRejected(error.data?.description ?? error.message));
      return;
    }
    log.debug({ err: error }, 'The control plane could not be reached');
    reconnectAfter(pauses.next());
  });
  socket.on('disconnect', (reason) => {
    options.onDisconnect();
    if (closed) return;
    const kicked = reason === 'io server disconnect';
    if (!kicked || Date.now() - welcomed >= kicked_window_ms) kickedPauses.reset();
    reconnectAfter((kicked ? kickedPauses : pauses).next());
    if (kickedPauses.failures > 1)
      log.warn('The control plane disconnected this agent again: does another agent use this node?');
  });
  socket.connect();
  return {
    socket,
    close() {
      closed = true;
      clearTimeout(timer);
      socket.disconnect();
    },
  };
}

/** Opens a unix socket for every address. */
function unixAgent(path: string): HttpAgent {
  const agent = new HttpAgent();
  (agent as unknown as { createConnection: () => unknown }).createConnection = () => connectSocket(path);
  return agent;
}
