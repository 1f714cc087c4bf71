import { setTimeout as later } from 'node:timers';
import { setTimeout } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { Ack } from '#control/protocol/ack.ts';
import type { PanelEvents, PanelRequests } from '#control/protocol/browser.ts';
import type { StaffRequests } from '#control/protocol/staff.ts';
import { parseSettings } from '#db/runtime/env.ts';
import { siteAddress } from '../processes.ts';
import { UserError } from '../user-error.ts';

/** What a command may ask: the messages of browsers, or those of staff, each by its name. */
type Messages = PanelRequests | StaffRequests;
type Message<F, E extends keyof F> = F[E] extends (message: infer M, ...taken: never[]) => void ? M : never;
type ResponseOf<F, E extends keyof F> = F[E] extends (
  message: never,
  taken: (answer: infer A) => void,
) => void
  ? Extract<A, { ok: true }>
  : never;

export interface ControlClient<F extends Messages = PanelRequests> {
  /**
   * Sends a message and gives the answer; a refusal ends the command with its text. A message refused only for now is
   * sent again after the time the answer names. When the connection is lost meanwhile the message is sent again, unless
   * `once`: then it is unknown whether it was done, and the user is told so.
   */
  request<E extends keyof F>(
    event: E,
    message: Message<F, E>,
    how?: { once: boolean },
  ): Promise<ResponseOf<F, E>>;
  /** For what the plane says by itself. `connect` comes after each connection, the first one too. */
  socket: Socket<PanelEvents, PanelRequests>;
}

/** How long the control plane may be away, or silent, before a command gives up. */
const timeout_ms = 20_000;
const retry_ms = 500;

/** Where the product runs on this machine, by this environment. */
export function localUrl(): string {
  const door = siteAddress(parseSettings(process.env));
  const { host, port } = door as { host: string; port: number };
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Opens a socket to the running product, shows the token, lets `work` ask, and closes it. Ends with one line on standard
 * error when there is no token, nobody answers or the plane refuses. Source: hosting §5.2.
 */
export async function withControlPlane<T, F extends Messages = PanelRequests>(
  { url, token, as = 'server' }: { url: string; token: string | undefined; as?: 'server' | 'staff' },
  work: (plane: ControlClient<F>) => Promise<T>,
): Promise<T> {
  if (!token) throw new UserError('Say who asks: --token, or CAIRN_TOKEN in the environment.');
  if (!/^https?:\/\//.test(url))
    throw new UserError(`${url} is no address that begins with http:// or https://.`);
  const socket: ControlClient['socket'] = io(`${url.replace(/\/+$/, '')}/${as}`, {
    transports: ['websocket'],
    auth: { token },
    reconnectionDelay: 200,
    reconnectionDelayMax: 2_000,
    // a line that closes before it said anything is given up only then
    timeout: 4_000,
  });
  keepTrying(socket);
  try {
    await connected(socket, url);
    return await work({
      socket,
      request: (event, message, how) =>
        request(socket, event as string, message as object, how) as Promise<never>,
    });
  } finally {
    socket.close();
  }
}

/** Settles with the first connection. A site whose control plane is away is asked again for a while. */
async function connected(socket: ControlClient['socket'], url: string): Promise<void> {
  const end = Date.now() + timeout_ms;
  await new Promise<void>((done, fail) => {
    socket.once('connect', done);
    socket.on('connect_error', (error) => {
      const refusal = refusalOf(error);
      if (refusal && (!isBusy(error) || Date.now() > end)) fail(new UserError(refusal));
      else if (!refusal && (!isAway(error) || Date.now() > end))
        fail(new UserError(`Cairn does not answer at ${url}.`));
    });
  });
}

/** The client dials again by itself only when the line was cut, not when the plane hung up or had no time for us. */
function keepTrying(socket: ControlClient['socket']): void {
  const again = () => {
    if (!socket.active) later(() => socket.connect(), retry_ms).unref();
  };
  socket.on('disconnect', (reason) => {
    if (reason === 'io server disconnect') again();
  });
  socket.on('connect_error', again);
}

/** What the plane said when it turned us away, or null when it was not the plane. */
function refusalOf(error: Error): string | null {
  const { data } = error as Error & { data?: { description?: unknown } };
  return typeof data?.description === 'string' ? data.description : null;
}

/** Whether the plane turned us away only for now. */
const isBusy = (error: Error): boolean =>
  ['database_away', 'busy', 'too_fast'].includes(
    (error as Error & { data?: { error?: string } }).data?.error ?? '',
  );

/** Whether the site answered that its control plane is away. */
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
    if (answer) throw new UserError(answer.description);
    if (once) throw new UserError('The connection was lost: it is not known whether that was done.');
    if (Date.now() >= end) throw new UserError('The control plane does not answer. Try again.');
  }
}

/** The answer, or null when the connection was lost or time ran out first. */
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
