import type { Agent } from 'node:http';
import { setTimeout as later } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { Ack } from '#control/protocol/ack.ts';
import type { PanelEvents, PanelRequests } from '#control/protocol/browser.ts';
import type { StaffRequests } from '#control/protocol/staff.ts';
import { parseSettings } from '#db/platform/runtime/env.ts';
import { siteAddress } from '../processes.ts';
import { UserError } from '../user-error.ts';

/** The messages that a command may send: those of browsers, or those of administrators, by name. */
export type Messages = PanelRequests | StaffRequests;
export type Message<F, E extends keyof F> = F[E] extends (message: infer M, ...taken: never[]) => void
  ? M
  : never;
export type ResponseOf<F, E extends keyof F> = F[E] extends (
  message: never,
  taken: (answer: infer A) => void,
) => void
  ? Extract<A, { ok: true }>
  : never;

export interface ControlClient<F extends Messages = PanelRequests> {
  /** The address of Cairn. */
  url: string;
  /**
   * Sends a message and gives the reply; a refusal ends the command with its text. After a temporary refusal the
   * message is sent again with the delay in the reply. After a lost connection it is sent again too, unless `once`:
   * then it is unknown whether it was executed, and the command says so.
   */
  request<E extends keyof F>(
    event: E,
    message: Message<F, E>,
    how?: { once: boolean },
  ): Promise<ResponseOf<F, E>>;
  /** For events from the control plane. `connect` is emitted after each connection, the first one too. */
  socket: Socket<PanelEvents, PanelRequests>;
}

/** How long the control plane may be unavailable before a command gives up. */
const timeout_ms = 20_000;
const retry_ms = 500;

/** The address of the product on this machine, by the environment. */
export function localUrl(): string {
  const door = siteAddress(parseSettings(process.env));
  const { host, port } = door as { host: string; port: number };
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

interface Target {
  url: string;
  token: string | undefined;
  as?: 'server' | 'staff';
  /** Opens the connections, for example from another local address. */
  agent?: Agent;
}

/**
 * Opens a socket to the running product with the token, calls `work`, and closes it. Ends with one line on standard
 * error when there is no token, no answer, or a refusal. Source: hosting §5.2.
 */
export async function withControlPlane<T, F extends Messages = PanelRequests>(
  { url, token, as = 'server', agent }: Target,
  work: (plane: ControlClient<F>) => Promise<T>,
): Promise<T> {
  if (!token) throw new UserError('No token: use --token, or set CAIRN_TOKEN.');
  if (!/^https?:\/\//.test(url))
    throw new UserError(`${url} is not an address: it must begin with http:// or https://.`);
  const socket: ControlClient['socket'] = io(`${url.replace(/\/+$/, '')}/${as}`, {
    transports: ['websocket'],
    auth: { token },
    // the client passes it on to Node; its types know only what browsers accept
    ...(agent && { agent: agent as never }),
    reconnectionDelay: 200,
    reconnectionDelayMax: 2_000,
    // a connection that closes before the first packet is given up only after this time
    timeout: 4_000,
  });
  keepTrying(socket);
  try {
    await connected(socket, url);
    return await work({
      url,
      socket,
      request: (event, message, how) =>
        request(socket, event as string, message as object, how) as Promise<never>,
    });
  } finally {
    socket.close();
  }
}

/** Resolves on the first connection. While the control plane is down it is retried for a while. */
async function connected(socket: ControlClient['socket'], url: string): Promise<void> {
  const end = Date.now() + timeout_ms;
  await new Promise<void>((done, fail) => {
    socket.once('connect', done);
    socket.on('connect_error', (error) => {
      const refusal = refusalOf(error);
      if (refusal && (!isBusy(error) || Date.now() > end)) fail(new UserError(refusal));
      else if (!refusal && (!isAway(error) || Date.now() > end))
        fail(new UserError(`Cairn is not responding at ${url}.`));
    });
  });
}

/**
 * The client reconnects by itself after a lost connection only, not after a disconnect or refusal by the control plane.
 */
function keepTrying(socket: ControlClient['socket']): void {
  const again = () => {
    if (!socket.active) later(() => socket.connect(), retry_ms).unref();
  };
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') again();
  });
  socket.on('connect_error', again);
}

/** The text of the control plane's refusal, or null for any other error. */
function refusalOf(error: Error): string | null {
  const { data } = error as Error & { data?: { description?: unknown } };
  return typeof data?.description === 'string' ? data.description : null;
}

/** Whether the control plane refused temporarily. */
const isBusy = (error: Error): boolean =>
  ['database_away', 'busy', 'too_fast'].includes(
    (error as Error & { data?: { error?: string } }).data?.error ?? '',
  );

/** Whether the site answered that its control plane is down. */
const isAway = (error: Error): boolean => {
  const { description } = error as Error & { description?: { message?: string } };
  return /response: 50[23]/.test(description?.message ?? '');
};

async function request(
  socket: ControlClient['socket'],
  event: string,
  message: object,
  { once } = { once: false },
): Promise<object> {
  const end = Date.now() + timeout_ms;
  for (;;) {
    const answer = await responseTo(socket, event, message, end - Date.now());
    if (answer?.ok) return answer;
    if (answer?.retry_after_ms !== undefined && Date.now() + answer.retry_after_ms < end) {
      await setTimeout(answer.retry_after_ms);
      continue;
    }
    if (answer?.error === 'proof_required')
      throw new UserError(
        'This needs a token that was made within the last ten minutes. Make one in your settings, then try again.',
      );
    if (answer) throw new UserError(answer.description);
    if (once) throw new UserError('The connection was lost. The command may or may not have been executed.');
    if (Date.now() >= end) throw new UserError('The control plane is not responding. Try again.');
  }
}

/** The reply, or null when the connection was lost or the time ran out. */
function responseTo(
  socket: ControlClient['socket'],
  event: string,
  message: object,
  limit_ms: number,
): Promise<Ack<object> | null> {
  return new Promise((done) => {
    const lost = () => settle(null);
    const settle = (answer: Ack<object> | null) => {
      clearTimeout(timer);
      socket.off('disconnect', lost);
      done(answer);
    };
    const timer = later(settle, Math.max(limit_ms, 0), null);
    socket.once('disconnect', lost);
    (socket as Socket).emit(event, message, settle);
  });
}
