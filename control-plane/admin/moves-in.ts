import { refusalDescription } from '#content/refusal-description.ts';
import { type RefusalCode, Refused, refusals } from '#db/errors.ts';
import type { MoveView } from '#db/servers/moves/read.ts';
import type { StaffMove } from '../protocol/staff.ts';

/** Moves with why they failed, in the language `locale`. A code of an agent without a text, or with values in it, is shown as it is. */
export const movesIn = (locale: string, moves: readonly MoveView[]): StaffMove[] =>
  moves.map((move) => ({ ...move, why: move.error === null ? null : whyIn(locale, move.error) }));

const whyIn = (locale: string, code: string): string =>
  Object.hasOwn(refusals, code) && !refusals[code as RefusalCode][1].includes('{')
    ? refusalDescription(new Refused(code as RefusalCode), locale)
    : code;
