import { io, type Socket } from 'socket.io-client';
import type { PanelEvents, PanelRequests } from '#control/protocol/browser.ts';
import type { StaffEvents, StaffRequests } from '#control/protocol/staff.ts';

export type PanelSocket = Socket<PanelEvents, PanelRequests>;
export type StaffSocket = Socket<StaffEvents, StaffRequests>;

/**
 * The socket to the control plane, through the site's own port, authenticated by the session cookie. The client's own
 * reconnection is off: `keepConnected` decides when reconnecting makes sense.
 */
export const openSocket = (): PanelSocket => io('/server', options());
export const openStaffSocket = (): StaffSocket => io('/staff', options());
const options = () => ({
  transports: ['websocket'],
  reconnection: false,
  autoConnect: false,
  // a connection that closes before the first packet gives the client no event: it times out
  timeout: 4000,
  // refusals are in the language of the page
  auth: { locale: document.documentElement.lang },
});

/** Milliseconds until the next attempt after `failures` of them, up to five seconds. Source: screens §A.8. */
export const waitOf = (failures: number, random: number): number =>
  Math.min(5000, 300 * 2 ** Math.min(failures, 10)) * (0.75 + random / 4);

/** Codes that a retry would not change until the user does something. */
const final = new Set(['authentication_required', 'token_invalid', 'scope_missing', 'server_not_found']);
export const isFinal = (code: string): boolean => final.has(code);

export interface Refusal {
  error: string;
  description: string;
}

/** The refusal in a `connect_error`; null when the connection failed. */
function refusalOf(error: Error & { data?: unknown }): Refusal | null {
  const { error: code, description } = Object(error.data) as Partial<Refusal>;
  return typeof code === 'string' ? { error: code, description: String(description ?? '') } : null;
}

/**
 * Keeps `socket` connected: retries after every loss, sooner when the browser is back online or the page becomes
 * visible. Calls `lost` on every failure, with the refusal if it was one; a final one ends the retries. Gives a
 * function that ends them.
 */
export function keepConnected(
  socket: Pick<Socket, 'connected' | 'connect' | 'disconnect' | 'on'>,
  lost: (refusal: Refusal | null) => void,
): () => void {
  let failures = 0;
  let ended = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const retried = () => {
    clearTimeout(timer);
    if (!ended && !socket.connected) socket.connect();
  };
  const retry_timer = () => {
    clearTimeout(timer);
    if (!ended) timer = setTimeout(retried, waitOf(failures++, Math.random()));
  };
  const known = () => document.visibilityState === 'visible' && retried();
  const end = () => {
    ended = true;
    clearTimeout(timer);
    removeEventListener('online', retried);
    document.removeEventListener('visibilitychange', known);
    socket.disconnect();
  };
  socket.on('connect', () => {
    failures = 0;
  });
  socket.on('connect_error', (error) => {
    const refusal = refusalOf(error);
    if (refusal && isFinal(refusal.error)) end();
    lost(refusal);
    retry_timer();
  });
  socket.on('disconnect', (reason) => {
    if (reason === 'io client disconnect') return;
    lost(null);
    retry_timer();
  });
  addEventListener('online', retried);
  document.addEventListener('visibilitychange', known);
  socket.connect();
  return end;
}
