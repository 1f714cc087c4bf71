import type { MessageKey } from '#content/keys.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { brokenText, stateView } from '../shared/state.ts';

/** Reasons that are written to owners, and what staff read instead. */
const forStaff: Partial<Record<MessageKey, MessageKey>> = {
  'servers.suspended_moderated': 'staff_servers.why_suspended_moderated',
  'servers.suspended_payment_failed': 'staff_servers.why_suspended_payment_failed',
  'servers.suspended_cancelled': 'staff_servers.why_suspended_cancelled',
  'servers.suspended_upgrading': 'staff_servers.why_suspended_upgrading',
  'servers.suspended_trial_ended': 'staff_servers.why_suspended_trial_ended',
  'servers.suspended_lost': 'staff_servers.why_suspended_lost',
  'servers.suspended_other': 'staff_servers.why_suspended_other',
  'servers.why_out_of_stock': 'staff_servers.why_out_of_stock',
  'servers.why_broken': 'staff_servers.why_broken',
  'servers.why_unknown': 'staff_servers.why_unknown',
};

/** Why a server is in its state, in the third person: staff are not its owner. Null where there is nothing to say. */
export function staffReason(server: ServerView): MessageKey | null {
  const reason = brokenText(server) ?? stateView(server).reason ?? null;
  return reason === null ? null : (forStaff[reason] ?? reason);
}
