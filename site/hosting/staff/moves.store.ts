import { atom } from 'nanostores';
import { askStaff, openStaffPage, type StaffResult } from '../nodes/staff.store.ts';

export type MovesPage = StaffResult<'move.list'>;

/** Moves of servers: a page of them, of which the first is kept up to date. */
export const $moves = atom<MovesPage | null>(null);

/** Connects; call once per page. `before`: the last move of the page before. */
export function openMoves(before: string | null): void {
  openStaffPage(
    (socket) => socket.on('moves', (page) => before === null && $moves.set(page)),
    async () => {
      const result = await askStaff('move.list', { before });
      if (result.ok) $moves.set(result.data);
      return result.ok;
    },
  );
}
