import type { MailData } from '#db/messages/mail/rules.ts';

const username = 'mirelle';
const link = '/mod/lanternroot';
const ended = { sessions: 3, tokens: 1, apps: 1, sftp: 0, ways: 0 };
const service = 'Lantern survival';
const card = { brand: 'Visa', last_four: '4242' };
const deleted = '2026-12-13T18:30:00Z';
const ends = { stops: '2026-12-06T18:30:00Z', deleted };

/** What each mail is shown with where none was sent. */
export const mailSamples: MailData = {
  verify_email: { username, link: '/auth/verify-email?flow=sample' },
  email_changed: { username, new_email: 'mirelle@example.org' },
  reset_password: { username, link: '/auth/reset-password?flow=sample' },
  password_changed: { username, ended },
  password_removed: { username, ended },
  two_factor_enabled: { username, ended },
  two_factor_removed: { username, ended },
  passkey_added: { username, name: 'Laptop' },
  passkey_removed: { username, name: 'Laptop' },
  auth_provider_added: { username, provider: 'OpenID' },
  auth_provider_removed: { username, provider: 'OpenID' },
  new_sign_in: {
    username,
    device: 'Firefox, Linux',
    ip: '192.0.2.7',
    place: 'Reykjavík, Iceland',
    at: '2026-11-22T18:30:00Z',
  },
  payout_address: { username, method: 'paypal', address: 'mirelle@example.org' },
  staff_factor: { username, until: '2026-12-06' },
  session_guessed: { username },
  sign_up_attempted: { username },
  pat_created: { username, token_name: 'Release script' },
  newsletter_confirm: { link: '/newsletter/confirm?flow=sample' },
  newsletter: {
    title: 'How a console keeps its lines',
    summary:
      'Every line of a game server has a number. What that does for you when a connection breaks, a program restarts, or a server prints faster than you can read.',
    link: '/news/article/consoles-that-lose-no-line',
  },
  payment_failed: {
    username,
    amount: 1200,
    currency: 'USD',
    service,
    card,
    ...{ reason: 'insufficient_funds', next_attempt: '2026-11-30T18:30:00Z' },
    ...ends,
    link: '/servers/manage',
  },
  payment_unconfirmed: {
    ...{ username, amount: 1200, currency: 'EUR', service },
    ...ends,
    link: '/servers/manage',
  },
  receipt: {
    ...{ username, amount: 1200, currency: 'USD', service, card },
    invoice: { number: 'INV-000012', link: '/settings/billing/charges' },
    ...{ paid_until: '2026-12-29T18:30:00Z', link: '/servers/manage' },
  },
  refund_made: {
    ...{ username, amount: 500, currency: 'USD', service },
    credit_note: { number: 'INV-000013', link: '/settings/billing/charges' },
    link: '/settings/billing/charges',
  },
  renewal_soon: {
    ...{ username, amount: 12_000, currency: 'USD', service, card },
    ...{ at: '2026-12-13T18:30:00Z', link: '/servers/manage' },
  },
  server_ready: { username, service, address: 'play.example.org:25601', link: '/servers/manage' },
  server_suspended: { username, service, reason: 'cancelled', deleted, link: '/servers/manage' },
  deletion_soon: { username, service, at: deleted, link: '/servers/manage' },
  subscription_cancelled: {
    ...{ username, service, until: ends.stops, deleted },
    link: '/servers/manage',
  },
  subscription_ended: { username, service, link: '/settings/billing/charges' },
  payout_requested: {
    ...{ username, amount: 4250, method: 'paypal', address: 'mirelle@example.org' },
    link: '/dashboard/revenue/transfers',
  },
  payout_settled: { username, amount: 4250, state: 'success', link: '/dashboard/revenue/transfers' },
  project_taken_down: {
    ...{ username, name: 'Lanternroot', kind: 'copyright', reference: 'N-2026-114' },
    reason: 'Stonewrights says that the textures of the lanterns are theirs.',
    link: '/mod/lanternroot/moderation',
  },
  project_shown_again: { username, name: 'Lanternroot', link },
  server_rescued: {
    ...{ username, service: 'Lantern survival', state_of: '2026-11-22T18:30:00Z' },
    ...{ address: 'play.example.org:25601', link: '/servers/manage' },
  },
  server_lost: {
    ...{ username, service: 'Lantern survival', state_of: null, money: 'refundable' },
    link: '/servers/manage',
  },
  server_port: {
    ...{ username, service, before: 'play.example.org:25600', after: 'play.example.org:25601' },
    link: '/servers/manage',
  },
  project_update: { username, name: 'Lanternroot', version: '2.4.0', link },
  team_invite: { username, invited_by: 'tobin', name: 'Lanternroot', role: 'Artist', link },
  organization_invite: {
    username,
    invited_by: 'tobin',
    name: 'Stonewrights',
    role: 'Builder',
    link: '/organization/stonewrights',
  },
  status_change: {
    username,
    name: 'Lanternroot',
    old_status: 'processing',
    new_status: 'rejected',
    link,
  },
  project_status_approved: { username, name: 'Lanternroot', link },
  moderator_message: { username, name: 'Lanternroot', link },
  report_status_updated: { username, closed: true, link: '/dashboard/notifications' },
  notification: {
    username,
    title: 'Lanternroot has 1,000 followers',
    text: 'Lanternroot reached 1,000 followers.',
    link,
  },
  digest: {
    username,
    period: 'weekly',
    groups: [
      {
        title: 'Lanternroot',
        link,
        items: [
          { text: '2.4.0 was released', link: '/mod/lanternroot/version/2.4.0' },
          { text: '2.3.1 was released', link: '/mod/lanternroot/version/2.3.1' },
        ],
      },
      {
        title: 'Pale Ferns',
        link: '/mod/pale-ferns',
        items: [{ text: 'tobin invites you to the team', link: '/mod/pale-ferns' }],
      },
    ],
    more: 12,
  },
  staff_notice: {
    title: 'A report says that something is malicious',
    text: 'Somebody reported a version as malicious. Look at it before others download it.',
    link: '/moderation/reports',
  },
};
