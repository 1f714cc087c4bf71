import type { MessageKey } from '#content/keys.ts';
import type { MoveStep } from '#db/hosting/servers/moves/rules.ts';

/** What the steps of a move are called. */
export const stepText: Record<MoveStep, MessageKey> = {
  queued: 'staff_servers.step_queued',
  stopping: 'staff_servers.step_stopping',
  saving: 'staff_servers.step_saving',
  placing: 'staff_servers.step_placing',
  installing: 'staff_servers.step_installing',
  restoring: 'staff_servers.step_restoring',
  done: 'staff_servers.step_done',
  failed: 'staff_servers.step_failed',
  cancelled: 'staff_servers.step_cancelled',
};

/** The steps that a move takes, in order; one whose step is not here has ended. */
export const stepsOnTheWay: readonly MoveStep[] = [
  'queued',
  'stopping',
  'saving',
  'placing',
  'installing',
  'restoring',
];
