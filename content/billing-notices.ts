import type { BillingKind, NotificationBodies } from '#db/messages/notifications/rules.ts';
import type { MessageKey } from './keys.ts';
import type { Messages } from './messages.ts';
import { utcTime } from './server-alerts.ts';

const sentences: Readonly<Record<BillingKind, MessageKey>> = {
  receipt: 'notifications.billing_receipt',
  refund: 'notifications.billing_refund',
  payment_failed: 'notifications.billing_payment_failed',
  payment_unconfirmed: 'notifications.billing_payment_unconfirmed',
  renewal_soon: 'notifications.billing_renewal_soon',
  server_ready: 'notifications.billing_server_ready',
  suspended: 'notifications.billing_suspended',
  deletion_soon: 'notifications.billing_deletion_soon',
  cancelled: 'notifications.billing_cancelled',
  ended: 'notifications.billing_ended',
};

/** What happened to money or to something that is paid for, in one sentence; `amount` and `service` as its page writes them. */
export const billingSentence = (
  messages: Messages,
  { kind, at }: Pick<NotificationBodies['billing'], 'kind' | 'at'>,
  { amount, service }: { amount: string; service: string },
): string => messages.t(sentences[kind], { amount, service, date: at === null ? '' : utcTime(messages, at) });
