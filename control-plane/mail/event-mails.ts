import { tellOfPort, tellOfReadyServer } from '#db/hosting/servers/mails.ts';
import type { Mailing } from '#db/messages/mail/queue.ts';
import { tellOfTakedown } from '#db/moderation/takedowns/mails.ts';
import { tellOfPayment, tellOfRefund } from '#db/money/billing/mails/charges.ts';
import { tellOfSubscription } from '#db/money/billing/mails/subscriptions.ts';
import { tellOfPayout, tellOfPayoutRequest } from '#db/money/payouts/mails.ts';
import type { EventConsumer } from '#db/platform/events/consumer.ts';
import { transactionalConsumer } from '#db/platform/events/from-now.ts';
import type { Event } from '#db/platform/events/read.ts';
import type { Db, Pool } from '#db/platform/postgres/sql.ts';

/** Name of the event cursor of these mails. */
const cursor_name = 'event_mails';

/**
 * Tells people by mail and on the site of every movement of their money, of the beginning and end of what they pay for, and
 * of takedowns: once each, because mails, notifications and cursor are stored in one transaction. Events before the first
 * start count as handled.
 */
export const eventMailConsumer = (context: Mailing & { sql: Pool; now(): Date }): EventConsumer =>
  transactionalConsumer(context.sql, cursor_name, async (tx, events) => {
    for (const event of events) await handle(tx, context, event, context.now());
  });

async function handle(tx: Db, mailing: Mailing, event: Event, now: Date): Promise<void> {
  switch (event.name) {
    case 'charge.succeeded':
      return await tellOfPayment(tx, mailing, event.data, now);
    case 'charge.refunded':
      return await tellOfRefund(tx, mailing, event.data, now);
    case 'subscription.moved':
    case 'plus.moved':
      return await tellOfSubscription(tx, mailing, event.data, now);
    case 'server.ready':
      return await tellOfReadyServer(tx, mailing, event.server_id!, now);
    case 'server.port_changed':
      return await tellOfPort(tx, mailing, { server_id: event.server_id!, ...event.data }, now);
    case 'payout.requested':
      return await tellOfPayoutRequest(tx, mailing, event.data.payout_id, now);
    case 'payout.settled':
      return await tellOfPayout(tx, mailing, event.data, now);
    case 'project.takedown_changed':
      return await tellOfTakedown(tx, mailing, event.data, now);
  }
}
