import { codeDescription } from '#content/refusal-description.ts';
import type { MoveView } from '#db/hosting/servers/moves/read.ts';
import type { StaffMove } from '../protocol/staff.ts';

/** Moves with why they failed, in the language `locale`. */
export const movesIn = (locale: string, moves: readonly MoveView[]): StaffMove[] =>
  moves.map((move) => ({ ...move, why: move.error && codeDescription(move.error, locale) }));
