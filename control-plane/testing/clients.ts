import { io, type Socket } from 'socket.io-client';
import type { PanelEvents, PanelRequests } from '../protocol/browser.ts';
import type { StaffEvents, StaffRequests } from '../protocol/staff.ts';

/** Real Socket.IO clients of a control plane: browsers and staff. */

type RequestName = keyof PanelRequests;
type Message<E extends RequestName> = Parameters<PanelRequests[E]>[0];
type Answer<E extends RequestName> = Parameters<Parameters<PanelRequests[E]>[1]>[0];
type Received = { [E in keyof PanelEvents]: Array<Parameters<PanelEvents[E]>[0]> };

export interface Browser {
  socket: Socket<PanelEvents, PanelRequests>;
  /** Every event that the control plane sent, by name. */
  received: Received;
  request<E extends RequestName>(event: E, message: Message<E>): Promise<Answer<E>>;
  close(): void;
}

interface Credentials {
  token?: string;
  headers?: Record<string, string>;
  locale?: string;
}

/** Every client that this test file made. */
export const opened = new Set<Socket>();
/** Ends every client a test file made. */
export const closeClients = (): void => {
  for (const socket of opened) socket.close();
};

const connect = (url: string, { token, headers, locale }: Credentials): Socket => {
  const socket = io(url, {
    transports: ['websocket'],
    forceNew: true,
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
    auth: { ...(token ? { token } : {}), ...(locale ? { locale } : {}) },
    ...(headers ? { extraHeaders: headers } : {}),
  });
  opened.add(socket);
  return socket;
};

/** Settles with the first connection; a refused handshake throws its answer's code. */
export const connected = (socket: Socket): Promise<void> =>
  new Promise((go, fail) => {
    socket.once('connect', go);
    socket.once('connect_error', (error: Error & { data?: { error: string } }) =>
      fail(Object.assign(new Error(error.data?.error ?? error.message), { data: error.data })),
    );
  });

/** Connects to `/server` as a browser or program would. Throws the code of a refused handshake. */
export async function browser(url: string, credentials: Credentials): Promise<Browser> {
  const socket: Browser['socket'] = connect(`${url}/server`, credentials) as Browser['socket'];
  const received: Received = {
    ...{ state: [], console: [], stats: [], notices: [], operation: [], backups: [], changes: [] },
    ...{ schedules: [], access: [], presence: [], 'access.revoked': [], 'node.status': [] },
  };
  socket.onAny((event: keyof Received, message) => received[event]?.push(message as never));
  await connected(socket as unknown as Socket);
  return {
    socket,
    received,
    request: (event, message) =>
      (socket as unknown as Socket).timeout(20_000).emitWithAck(event, message) as Promise<never>,
    close: () => socket.close(),
  };
}

/** Connects to `/staff`. */
export async function staff(url: string, token: string): Promise<Socket<StaffEvents, StaffRequests>> {
  const socket = connect(`${url}/staff`, { token });
  await connected(socket);
  return socket as unknown as Socket<StaffEvents, StaffRequests>;
}
