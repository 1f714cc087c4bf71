import type { RefusalCode } from '../../../platform/errors.ts';
import { type ServerFacts, whyNotResize } from '../rules.ts';

/** Rules for moving a server to another node. Source: hosting §5.5, §6. */

export const moveSteps = [
  'queued',
  'stopping',
  'saving',
  'placing',
  'installing',
  'restoring',
  'done',
  'failed',
  'cancelled',
] as const;
export type MoveStep = (typeof moveSteps)[number];

/** Steps that leave everything where it is: a move can be canceled in them. */
const cancelable: readonly MoveStep[] = ['queued', 'stopping', 'saving'];

/** Servers that are moved away from one node at the same time: each takes network and disk of both. */
export const moves_at_once = 1;

/** Why a server cannot be moved now, or null; `kept_backups`: those that only its node has, and would be lost. */
export function whyNotMove(
  server: ServerFacts,
  { busy, kept_backups }: { busy: boolean; kept_backups: number },
): RefusalCode | null {
  if (server.moving) return 'server_moving';
  const state = whyNotResize(server);
  if (state) return state;
  if (server.power === 'unknown') return 'server_unreachable';
  if (busy) return 'server_busy';
  return kept_backups > 0 ? 'backups_on_node' : null;
}

/** Why a move cannot be canceled, or null. */
export const whyNotCancelMove = (step: MoveStep | null): RefusalCode | null =>
  step === null ? 'move_unknown' : cancelable.includes(step) ? null : 'move_too_far';
