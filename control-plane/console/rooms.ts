import type { Room } from '../protocol/browser.ts';

/** The name of a server's room of this kind. Source: hosting §5.2. */
export const roomOf = (server_id: string, room: Room): string => `srv:${server_id}:${room}`;
