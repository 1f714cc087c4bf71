import { io, type Socket } from 'socket.io-client';
import type { PanelEvents, PanelRequests } from '#control/protocol/browser.ts';
import type { StaffEvents, StaffRequests } from '#control/protocol/staff.ts';
import { Backoff } from '#db/platform/runtime/backoff.ts';

export type PanelSocket = Socket<PanelEvents, PanelRequests>;
export type StaffSocket = Socket<StaffEvents, StaffRequests>;

/**
 * The socket to the control plane, through the site's own port, authenticated by the session cookie. The client's own
 * reconnection is off: it gives up after a refusal, and cannot be hurried when the browser is back online.
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

/** Pauses between attempts. Source: screens §A.8. */
const retry_bounds = { min_ms: 300, max_ms: 5_000 };

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
  const pauses = new Backoff(retry_bounds);
  let ended = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const retryNow = () => {
    clearTimeout(timer);
    if (!ended && !socket.connected) socket.connect();
  };
  const retryLater = () => {
    clearTimeout(timer);
    if (!ended) timer = setTimeout(retryNow, pauses.next());
  };
  const onVisible = () => document.visibilityState === 'visible' && retryNow();
  const end = () => {
    ended = true;
    clearTimeout(timer);
    removeEventListener('online', retryNow);
    document.removeEventListener('visibilitychange', onVisible);
    socket.disconnect();
  };
  socket.on('connect', () => pauses.reset());
  socket.on('connect_error', (error) => {
    const refusal = refusalOf(error);
    if (refusal && isFinal(refusal.error)) end();
    lost(refusal);
    retryLater();
  });
  socket.on('disconnect', (reason) => {
    if (reason === 'io client disconnect') return;
    lost(null);
    retryLater();
  });
  addEventListener('online', retryNow);
  document.addEventListener('visibilitychange', onVisible);
  socket.connect();
  return end;
}
