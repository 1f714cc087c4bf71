import type { BillingKind, FixedType } from './rules.ts';
import { type NotificationTexts, type Subject, subjectValues } from './text-row.ts';

const transfers_path = '/dashboard/revenue/transfers';

const billingApiTexts: Readonly<Record<BillingKind, string>> = {
  receipt: 'A payment of yours succeeded.',
  refund: 'A payment of yours was refunded.',
  payment_failed: 'A payment of yours failed.',
  payment_unconfirmed: 'Your bank wants you to confirm a payment.',
  renewal_soon: 'A subscription of yours renews soon.',
  server_ready: 'A game server of yours is ready.',
  suspended: 'A game server of yours was suspended.',
  deletion_soon: 'A game server of yours is deleted soon.',
  cancelled: 'A subscription of yours was canceled.',
  ended: 'A subscription of yours has ended.',
};

/** The page about something that is paid for: where its reader pays, or what is left of it. */
function billingAddress({ body: { kind, server_id }, paths }: Subject<'billing'>): string {
  const left = '/settings/billing/charges';
  if (kind === 'receipt' || kind === 'refund' || kind === 'ended') return left;
  if (server_id === null) return '/settings/billing';
  if (paths.server === null) return left;
  return kind === 'server_ready' ? paths.server : `${paths.server}/options/billing`;
}

/** The rows of `notificationTexts` that nobody turns off: their mails are written beside them. */
export const fixedTexts: Pick<NotificationTexts, FixedType> = {
  server_lost: {
    api: ({ body: { outcome } }) => ({
      name: outcome === 'rescued' ? 'Game server restored' : 'Game server lost',
      text:
        outcome === 'rescued'
          ? 'The machine of a game server of yours was lost. The server was restored on another one from a backup.'
          : 'A game server of yours was lost with its machine.',
    }),
    text({ body: { outcome, state_of } }) {
      if (outcome === 'rescued') return 'notifications.server_rescued';
      return state_of === null ? 'notifications.server_lost' : 'notifications.server_lost_kept';
    },
    values: ({ body: { name, state_of, address } }, write) => ({
      name: write.name(name),
      time: state_of === null ? '' : write.time(state_of),
      address: address ?? '',
    }),
    address: ({ paths }) => paths.server,
  },
  server_port: {
    api: () => ({
      name: 'Address of a game server',
      text: 'The address of a game server of yours changed. Tell your players.',
    }),
    text: () => 'notifications.server_port',
    values: ({ body: { name, before, after } }, write) => ({
      name: write.name(name),
      before: write.name(before),
      after: write.name(after),
    }),
    address: ({ paths }) => paths.server,
  },
  billing: {
    api: ({ body: { kind } }) => ({
      name: 'Billing',
      text: billingApiTexts[kind] ?? 'There’s news about what you pay for.',
    }),
    text: ({ body: { kind } }) => `notifications.billing_${kind}`,
    values: ({ body: { service, amount_minor, currency, at } }, write) => ({
      amount: amount_minor === null ? '' : write.amount(amount_minor, currency ?? 'USD'),
      service: service === null ? write.text('plus.title') : write.name(service),
      date: at === null ? '' : write.time(at),
    }),
    address: billingAddress,
  },
  takedown: {
    api: ({ body: { state } }) => ({
      name: state === 'placed' ? 'Project taken down' : 'Project shown again',
      text:
        state === 'placed'
          ? 'A project of yours was taken down for a legal reason. You can answer.'
          : 'A project of yours that was taken down is shown again.',
    }),
    text: ({ body: { state }, project }) =>
      project && (state === 'placed' ? 'notifications.taken_down' : 'notifications.shown_again'),
    hidden: ({ body: { state } }) =>
      state === 'placed' ? 'notifications.taken_down_hidden' : 'notifications.shown_again_hidden',
    values: subjectValues,
    address: ({ body: { state }, paths }) =>
      paths.project && `${paths.project}${state === 'placed' ? '/moderation' : ''}`,
  },
  payout_requested: {
    api: () => ({ name: 'Withdrawal requested', text: 'A withdrawal of your balance was requested.' }),
    text: () => 'notifications.payout_requested',
    values: ({ body }, write) => ({ amount: write.amount(Number(body.amount_minor), 'USD') }),
    address: () => transfers_path,
  },
  payout_settled: {
    api: ({ body: { state } }) => ({
      name: state === 'success' ? 'Withdrawal paid' : 'Withdrawal returned',
      text:
        state === 'success'
          ? 'Your withdrawal was paid.'
          : 'Your withdrawal wasn’t paid, and its money is back in your balance.',
    }),
    text({ body: { state } }) {
      if (state === 'success') return 'notifications.payout_paid';
      return state === 'cancelled' ? 'notifications.payout_cancelled' : 'notifications.payout_failed';
    },
    values: () => ({}),
    address: () => transfers_path,
  },
};
