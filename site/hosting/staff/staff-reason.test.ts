import { expect, test } from 'vitest';
import { messages } from '#content/messages.ts';
import type { ServerView } from '#db/hosting/servers/view.ts';
import { staffReason } from './staff-reason.ts';

const { t } = messages('en-US');
const server = (lifecycle: string, lifecycle_data: object = {}) =>
  ({ lifecycle, lifecycle_data, state: 'stopped' }) as unknown as ServerView;
const reasons = [
  ...[
    'moderated',
    'payment_failed',
    'cancelled',
    'upgrading',
    'trial_ended',
    'lost',
    'other',
    'never_heard_of',
  ],
];

test.each(reasons)('staff are not spoken to as the owner of a server that is suspended: %s', (reason) => {
  const said = t(staffReason(server('suspended', { reason }))!);
  expect(said).not.toMatch(/\b(you|your|we|contact support)\b/i);
});

test.each(['unprovisioned', 'provisioning', 'installing', 'upgrading', 'broken', 'deprovisioning'])(
  'nor of one that is %s',
  (lifecycle) => {
    for (const data of [{}, { reason: 'out_of_stock' }, { step: 'disk_full' }])
      expect(t(staffReason(server(lifecycle, data))!)).not.toMatch(/\b(you|your|we|contact support)\b/i);
  },
);
