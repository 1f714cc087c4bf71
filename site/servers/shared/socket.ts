import { io, type Socket } from 'socket.io-client';
import type { PanelEvents, PanelRequests } from '#control/protocol/browser.ts';
import type { StaffEvents, StaffRequests } from '#control/protocol/staff.ts';

export type PanelSocket = Socket<PanelEvents, PanelRequests>;
export type StaffSocket = Socket<StaffEvents, StaffRequests>;

/**
 * The way to the control plane, through the site's own port: the session cookie says who one is. Its own attempts to
 * come back are off: `stay` knows when coming back makes sense.
 */
export const openSocket = (): PanelSocket => io('/server', options());
export const openStaffSocket = (): StaffSocket => io('/staff', options());
const options = () => ({
  transports: ['websocket'],
  reconnection: false,
  autoConnect: false,
  // a line that closes before it said anything tells the client nothing: it is given up then
  timeout: 4000,
  // refusals come in the language of the page
  auth: { locale: document.documentElement.lang },
});

/** Milliseconds until the next attempt after `failures` of them, up to five seconds. Source: screens §A.8. */
export const waitOf = (failures: number, random: number): number =>
  Math.min(5000, 300 * 2 ** Math.min(failures, 10)) * (0.75 + random / 4);

/** Codes after which asking again gives the same answer until the person does something. */
const final = new Set(['authentication_required', 'token_invalid', 'scope_missing', 'server_not_found']);
export const isFinal = (code: string): boolean => final.has(code);

export interface Refusal {
  error: string;
  description: string;
}

/** The refusal inside what `connect_error` gives; null when the line failed. */
function refusalOf(error: Error & { data?: unknown }): Refusal | null {
  const { error: code, description } = Object(error.data) as Partial<Refusal>;
  return typeof code === 'string' ? { error: code, description: String(description ?? '') } : null;
}

/**
 * Keeps `socket` open: tries again after every loss, sooner when the browser is back online or the page is looked at.
 * `lost` is told of every failure with the refusal, if it was one; a final one ends the trying. Gives what ends it.
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
