import { Agent as HttpAgent } from 'node:http';
import { connect as connectSocket } from 'node:net';
import type { Logger } from 'pino';
import { io, type Socket } from 'socket.io-client';
import { type FromAgent, protocolVersions, type ToAgent, type Welcome } from '#control/protocol/agent.ts';

export type AgentSocket = Socket<ToAgent, FromAgent>;

/** The plane does not want this agent: trying again changes nothing. */
export class TurnedAway extends Error {}

/** Refusals of the handshake that trying again cannot change. */
const final = ['join_token_invalid', 'agent_secret_invalid', 'agent_protocol'];

export interface LinkNeeds {
  url: string;
  log: Logger;
  agent_version: string;
  boot_id: string;
  /** What to show: the node and its secret, or the join token. */
  shown(): { node_id?: string; secret?: string; join_token?: string };
  welcome(message: Welcome, socket: AgentSocket): void;
  /** The plane is away; it is dialled again. */
  lost(): void;
  turnedAway(error: TurnedAway): void;
}

const least_ms = 500;
const most_ms = 10_000;
/** Cut by the plane again within this time: somebody else probably speaks for this node, and dialling helps nobody. */
const cutAgain_ms = 60_000;
const cutMost_ms = 300_000;

/** Dials the plane and keeps the line: one socket, websocket only, dialled again with growing, scattered waits. */
export function dial(needs: LinkNeeds): { socket: AgentSocket; close(): void } {
  const { url, log } = needs;
  const unix = url.startsWith('unix:');
  let wait = least_ms;
  let welcomed = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const again = (after: number) => {
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => socket.connect(), after * (0.5 + Math.random()));
  };
  const socket: AgentSocket = io(`${unix ? 'http://localhost' : url}/agent`, {
    path: '/socket.io',
    transports: ['websocket'],
    autoConnect: false,
    // dialled again by our own rules below
    reconnection: false,
    timeout: 15_000,
    ...(unix ? { agent: unixAgent(url.slice('unix:'.length)) as never } : {}),
    auth: (give) =>
      give({
        ...needs.shown(),
        protocol: [protocolVersions.min, protocolVersions.max],
        agent_version: needs.agent_version,
        boot_id: needs.boot_id,
        clock: Date.now(),
      }),
  });
  socket.on('welcome', (message) => {
    [wait, welcomed] = [least_ms, Date.now()];
    needs.welcome(message, socket);
  });
  socket.on('connect_error', (error: Error & { data?: { error?: string; description?: string } }) => {
    if (final.includes(error.data?.error ?? '')) {
      closed = true;
      needs.turnedAway(new TurnedAway(error.data?.description ?? error.message));
      return;
    }
    log.debug({ err: error }, 'The control plane could not be reached');
    again(wait);
    wait = Math.min(wait * 2, most_ms);
  });
  let cuts = 0;
  socket.on('disconnect', (reason) => {
    needs.lost();
    if (closed) return;
    const cut = reason === 'io server disconnect';
    cuts = cut && Date.now() - welcomed < cutAgain_ms ? cuts + 1 : 0;
    if (cuts > 1) log.warn('The control plane cut the line again: does another agent speak for this node?');
    again(cut ? Math.min(1_000 * 2 ** cuts, cutMost_ms) : least_ms);
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

/** Opens a unix socket whatever address it is asked for. */
function unixAgent(path: string): HttpAgent {
  const agent = new HttpAgent();
  (agent as unknown as { createConnection: () => unknown }).createConnection = () => connectSocket(path);
  return agent;
}
