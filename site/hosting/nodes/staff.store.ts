import { atom } from 'nanostores';
import type { StaffRequests } from '#control/protocol/staff.ts';
import { type ApiResult, offline } from '../../platform/browser/api-client.ts';
import { requestOn } from '../shared/request.ts';
import { keepConnected, openStaffSocket, type StaffSocket } from '../shared/socket.ts';

/** The one connection of a staff page of hosting. */

/** Whether what is shown may be outdated. */
export const $stale = atom(false);

const socket = typeof window === 'undefined' ? null : openStaffSocket();
let isOpen = false;

/**
 * Connects; call once per page. `listen` adds what hears events, `read` reads everything after each connection and gives
 * whether that worked.
 */
export function openStaffPage(listen: (socket: StaffSocket) => void, read: () => Promise<boolean>): void {
  if (isOpen || !socket) return;
  isOpen = true;
  listen(socket);
  socket.on('connect', async () => $stale.set(!(await read())));
  keepConnected(socket, () => $stale.set(true));
}

type Message<E extends keyof StaffRequests> = Parameters<StaffRequests[E]>[0];
type Answer<E extends keyof StaffRequests> = Parameters<Parameters<StaffRequests[E]>[1]>[0];
/** What a request of staff is answered. */
export type StaffResult<E extends keyof StaffRequests> = Omit<Extract<Answer<E>, { ok: true }>, 'ok'>;

/** Sends a request of staff. */
export const askStaff = async <E extends keyof StaffRequests>(
  event: E,
  message: Message<E>,
): Promise<ApiResult<StaffResult<E>>> =>
  socket
    ? ((await requestOn(socket, event, message as never)) as unknown as ApiResult<StaffResult<E>>)
    : offline;
