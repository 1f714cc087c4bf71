import { ghostId } from '../../platform/people/rules.ts';
import type { Db } from '../../platform/postgres/sql.ts';
import type { NotificationBodies } from '../notifications/rules.ts';
import { notify } from '../notifications/write.ts';
import { type Mailing, type NewMail, queueMail } from './queue.ts';

type Body = NotificationBodies['billing'];

/** What every notification about something that is paid for says. */
export const billingBody = (
  kind: Body['kind'],
  { service, server_id }: Pick<Body, 'service' | 'server_id'>,
  more: Partial<Pick<Body, 'amount_minor' | 'currency' | 'at'>> = {},
): Body => ({ kind, service, server_id, amount_minor: null, currency: null, at: null, ...more });

type Written = {
  [T in NewMail['template']]: { template: T; data: Extract<NewMail, { template: T }>['data'] };
};

/**
 * Tells one user of something they pay for, or paid: by a mail and by a notification. Does nothing for the account that stands
 * for deleted ones.
 */
export async function tellPayer(
  tx: Db,
  mailing: Mailing,
  {
    user_id,
    body,
    mail,
    now,
  }: { user_id: string; body: Body; mail: Written[NewMail['template']]; now: Date },
): Promise<void> {
  if (user_id === ghostId) return;
  const about = body.server_id ?? 'plus';
  await notify(
    tx,
    [user_id],
    { type: 'billing', body },
    `billing:${body.kind}:${about}:${body.at ?? now.toISOString()}`,
  );
  await queueMail(tx, mailing, { ...mail, to: null, user_id, now } as NewMail);
}

/** Where somebody reads about a subscription: that of a server, or Plus. */
export const subscriptionPath = (server_id: string | null): string =>
  server_id === null ? '/settings/billing' : `/servers/manage/${server_id}/options/billing`;

/** Where an invoice or a credit note is downloaded. */
export const invoicePath = (invoice_id: string): string => `/_internal/billing/invoices/${invoice_id}.pdf`;
