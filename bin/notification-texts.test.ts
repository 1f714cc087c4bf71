import { expect, it } from 'vitest';
import { messages } from '#content/messages.ts';
import { mailSentence } from '#control/notification-mails/sentences.ts';
import type { NotificationNames } from '#db/accounts/notifications/names.ts';
import type { MailedNotification } from '#db/messages/notification-mails/due.ts';
import { textOf } from '#db/messages/notifications/api-text.ts';
import { isSiteType, type NotificationType } from '#db/messages/notifications/rules.ts';
import type { Notification } from '#db/messages/notifications/shape.ts';
import { notificationTexts } from '#db/messages/notifications/texts.ts';
import { notificationBodies } from '#db/testing/notification-bodies.ts';
import { notificationLine } from '#site/accounts/dashboard/notification-line.ts';

/** What every type of notification says and where it leads: on the page, in a mail and to programs. */
const ids = {
  project_id: 'Project1',
  version_id: 'Version1',
  team_id: 'Team0001',
  organization_id: 'Organiz1',
  server_id: 'Server01',
  report_id: 'Report01',
  person_id: 'Person01',
};
const bodies = notificationBodies(ids, '2026-11-23T08:00:00Z');
const project = { slug: 'slowwater', title: 'Slowwater', project_type: 'mod', loaders: ['fabric'] };
const server = { server_id: ids.server_id, server: 'Valley', owner: 'ben', role: 'viewer' };
const visible = {
  projects: new Map([[ids.project_id, project]]),
  versions: new Map([[ids.version_id, { id: ids.version_id, version_number: '1.2', by_id: false }]]),
  people: new Map([[ids.person_id, { username: 'ada', avatar_url: null }]]),
  organizations: new Map([[ids.organization_id, { slug: 'wrights', name: 'Stonewrights' }]]),
  invitations: new Set([ids.team_id]),
  servers: new Map([[ids.server_id, server]]),
  openable: new Set([ids.server_id]),
} as unknown as NotificationNames;
const nothing: NotificationNames = {
  projects: new Map(),
  versions: new Map(),
  people: new Map(),
  organizations: new Map(),
  invitations: new Set(),
  servers: new Map(),
  openable: new Set(),
};
const english = messages('en-US');
const types = Object.keys(notificationTexts) as NotificationType[];

function onPage(type: NotificationType, all: readonly object[], names: NotificationNames) {
  const notifications = all.map(
    (body) => ({ created: '', body: { ...body, type } }) as unknown as Notification,
  );
  const { text, href } = notificationLine(
    english,
    { key: '', count: all.length, unread: 0, notifications },
    names,
  );
  return { text: text.replaceAll(/[\u2068\u2069]/g, ''), href };
}
const inMail = (type: NotificationType, all: readonly object[], names: NotificationNames) =>
  mailSentence(
    english,
    type,
    all.map((body) => ({ id: '', type, group_key: null, body }) as unknown as MailedNotification),
    names,
  );

/** The sentences about each body of a type: on the page, on the page of a reader who may see nothing of it, and in a mail. */
function said(type: NotificationType) {
  const all: readonly object[] = bodies[type];
  const seen = isSiteType(type) ? all.map((body) => onPage(type, [body], visible)) : [];
  const unseen = isSiteType(type) ? all.map((body) => onPage(type, [body], nothing).text) : [];
  return {
    page: seen.map(({ text, href }) => `${text} -> ${href}`),
    hidden: [...new Set(unseen)].filter((text) => !seen.some((one) => one.text === text)),
    mail: all
      .flatMap((body) => inMail(type, [body], visible) ?? [])
      .map(({ text, link }) => `${text} -> ${link}`),
  };
}
const expected: Record<NotificationType, { page: string[]; hidden: string[]; mail: string[] }> = {
  team_invite: {
    page: ['ada invited you to join Slowwater -> /mod/slowwater'],
    hidden: ['An invitation to a team that no longer exists'],
    mail: ['ada invited you to join Slowwater -> /project/slowwater'],
  },
  organization_invite: {
    page: ['ada invited you to join Stonewrights -> /organization/wrights'],
    hidden: ['An invitation to a team that no longer exists'],
    mail: ['ada invited you to join Stonewrights -> /organization/wrights'],
  },
  server_invite: {
    page: ['ada invited you to the server Valley -> /servers/manage'],
    hidden: ['An invitation to a team that no longer exists'],
    mail: ['ada invited you to the server Valley -> /dashboard/notifications'],
  },
  moderator_message: {
    page: [
      'A moderator wrote to you about Slowwater -> /mod/slowwater/moderation',
      'There’s a new message about your report -> /dashboard/report/Report01',
    ],
    hidden: ['A moderator wrote to you'],
    mail: [
      'A moderator wrote to you about Slowwater -> /project/slowwater',
      'There’s a new message about your report -> /dashboard/report/Report01',
    ],
  },
  status_change: {
    page: [
      'Slowwater was approved and is now public -> /mod/slowwater',
      'Slowwater wasn’t approved -> /mod/slowwater',
      'The status of Slowwater changed -> /mod/slowwater',
    ],
    hidden: ['The status of one of your projects changed'],
    mail: [
      'Slowwater was approved and is now public -> /project/slowwater',
      'Slowwater wasn’t approved -> /project/slowwater',
      'The status of Slowwater changed -> /project/slowwater',
    ],
  },
  server_alert: {
    page: [
      'Valley: CPU over 90% -> /servers/manage/Server01/options/alerts',
      'Valley: CPU is back to normal -> /servers/manage/Server01/options/alerts',
      'Valley: this is a test alert -> /servers/manage/Server01/options/alerts',
    ],
    hidden: [],
    mail: [
      'Valley: CPU over 90% -> /servers/manage/Server01/options/alerts',
      'Valley: CPU is back to normal -> /servers/manage/Server01/options/alerts',
      'Valley: this is a test alert -> /servers/manage/Server01/options/alerts',
    ],
  },
  webhook_off: {
    page: [
      'The webhook “Chat” of Slowwater was turned off because its calls failed -> /mod/slowwater/settings/webhooks?webhook=Webhook1',
      'The webhook “Chat” of Stonewrights was turned off because its calls failed -> /organization/wrights/settings/webhooks?webhook=Webhook1',
      'The webhook “Chat” of Valley was turned off because its calls failed -> /servers/manage/Server01/options/alerts',
    ],
    hidden: ['One of your webhooks was turned off because its calls failed'],
    mail: [
      'The webhook “Chat” of Slowwater was turned off because its calls failed -> /project/slowwater/settings/webhooks?webhook=Webhook1',
      'The webhook “Chat” of Stonewrights was turned off because its calls failed -> /organization/wrights/settings/webhooks?webhook=Webhook1',
      'The webhook “Chat” of Valley was turned off because its calls failed -> /servers/manage/Server01/options/alerts',
    ],
  },
  project_transferred: {
    page: [],
    hidden: [],
    mail: ['Slowwater has a new owner -> /project/slowwater'],
  },
  share_changed: {
    page: [
      'Your revenue share for Slowwater is now 12.5%. It was 40%. -> /dashboard/revenue',
      'Your revenue share for Stonewrights is now 100%. It was 50%. -> /dashboard/revenue',
    ],
    hidden: ['Your revenue share changed for a team you can no longer see'],
    mail: [
      'Your revenue share for Slowwater is now 12.5%. It was 40%. -> /dashboard/revenue',
      'Your revenue share for Stonewrights is now 100%. It was 50%. -> /dashboard/revenue',
    ],
  },
  payout_available: {
    page: [],
    hidden: [],
    mail: ['Revenue from another month is ready to withdraw -> /dashboard/revenue'],
  },
  report_status_updated: {
    page: [],
    hidden: [],
    mail: [
      'Your report was closed -> /dashboard/notifications',
      'Your report was reopened -> /dashboard/notifications',
    ],
  },
  report_submitted: {
    page: [],
    hidden: [],
    mail: ['We received your report -> /dashboard/notifications'],
  },
  new_project: {
    page: ['ada published Slowwater -> /mod/slowwater'],
    hidden: ['Someone you follow published a project that’s no longer public'],
    mail: ['ada published Slowwater -> /project/slowwater'],
  },
  project_update: {
    page: ['Slowwater has a new version -> /mod/slowwater'],
    hidden: ['A project that’s no longer public had a new version'],
    mail: ['1.2 was released -> /project/slowwater/version/1.2'],
  },
  server_lost: {
    page: [
      'The machine running Valley was lost. The server was restored on another machine from the backup of November 23, 2026 at 8:00 AM UTC; changes since then are gone. Its address is play.example:25600. -> /servers/manage/Server01',
      'The machine running Valley was lost. Its backup from November 23, 2026 at 8:00 AM UTC is safe: you can restore it once the server is active again. -> /servers/manage/Server01',
      'The machine running Valley was lost, and there was no backup elsewhere. Its files are gone. -> /servers/manage/Server01',
    ],
    hidden: [],
    mail: [],
  },
  server_port: {
    page: [
      'The address of Valley changed from play.example:25600 to play.example:25601. Tell your players. -> /servers/manage/Server01',
    ],
    hidden: [],
    mail: [],
  },
  billing: {
    page: [
      'Your payment of $12.00 for Valley succeeded -> /settings/billing/charges',
      'You got a refund of $12.00 for Valley -> /settings/billing/charges',
      'Your payment of $12.00 for Valley failed -> /servers/manage/Server01/options/billing',
      'Your bank wants you to confirm $12.00 for Valley -> /servers/manage/Server01/options/billing',
      'Valley renews for $12.00 on November 23, 2026 at 8:00 AM UTC -> /servers/manage/Server01/options/billing',
      'Valley is ready -> /servers/manage/Server01',
      'Valley was suspended. It will be deleted on November 23, 2026 at 8:00 AM UTC unless you renew it. -> /servers/manage/Server01/options/billing',
      'Valley will be deleted on November 23, 2026 at 8:00 AM UTC unless you renew it -> /servers/manage/Server01/options/billing',
      'You canceled Valley. It runs until November 23, 2026 at 8:00 AM UTC. -> /servers/manage/Server01/options/billing',
      'Your subscription for Valley has ended -> /settings/billing/charges',
      'Your payment of $12.00 for Plus succeeded -> /settings/billing/charges',
      'You got a refund of $12.00 for Plus -> /settings/billing/charges',
      'Your payment of $12.00 for Plus failed -> /settings/billing',
      'Your bank wants you to confirm $12.00 for Plus -> /settings/billing',
      'Plus renews for $12.00 on November 23, 2026 at 8:00 AM UTC -> /settings/billing',
      'Plus is ready -> /settings/billing',
      'Plus was suspended. It will be deleted on November 23, 2026 at 8:00 AM UTC unless you renew it. -> /settings/billing',
      'Plus will be deleted on November 23, 2026 at 8:00 AM UTC unless you renew it -> /settings/billing',
      'You canceled Plus. It runs until November 23, 2026 at 8:00 AM UTC. -> /settings/billing',
      'Your subscription for Plus has ended -> /settings/billing/charges',
    ],
    hidden: [],
    mail: [],
  },
  takedown: {
    page: [
      'Slowwater was taken down for a legal reason. You can respond. -> /mod/slowwater/moderation',
      'Slowwater is back online: its takedown ended -> /mod/slowwater',
    ],
    hidden: [
      'One of your projects was taken down for a legal reason',
      'One of your projects is back online: its takedown ended',
    ],
    mail: [],
  },
  payout_requested: {
    page: ['A withdrawal of $10.00 was requested -> /dashboard/revenue/transfers'],
    hidden: [],
    mail: [],
  },
  payout_settled: {
    page: [
      'Your withdrawal was paid -> /dashboard/revenue/transfers',
      'Your withdrawal failed. The money is back in your balance. -> /dashboard/revenue/transfers',
      'Your withdrawal was canceled. The money is back in your balance. -> /dashboard/revenue/transfers',
    ],
    hidden: [],
    mail: [],
  },
};

it.each(types)('%s says and leads where the table of this test says', (type) => {
  expect(said(type)).toEqual(expected[type]);
});

it.each(types)('programs get a text of %s that names nothing, if a screen shows it', (type) => {
  for (const body of bodies[type]) {
    const { type: known, name, text, link } = textOf({ user_id: ids.person_id, type, body });
    if (!isSiteType(type)) {
      expect({ known, name, text, link }).toEqual({ known: 'unknown', name: '', text: '', link: '#' });
      continue;
    }
    expect(known).toBe(type);
    expect(name).not.toBe('');
    expect(text).toMatch(/^[A-Z].*[^.]\.?$/);
    expect(text).not.toMatch(/Slowwater|Stonewrights|Valley|undefined|null/);
    expect(link).toMatch(/^\/[\w/]+$/);
  }
});

it('counts what a place does not name', () => {
  const alerts = Array.from({ length: 12 }, () => bodies.server_alert[0]!);
  expect(onPage('server_alert', alerts, visible).text).toBe('Valley: CPU over 90% (+11)');
  expect(inMail('server_alert', alerts, visible)!.text).toMatch(/^(Valley: CPU over 90%(\. )?){10} \(\+2\)$/);
  const updates = ['1.4', '1.3', '1.2', '1.1', '1.0'].map((version_id) => ({ ...ids, version_id }));
  const versions = updates.map(
    ({ version_id: id }) => [id, { id, version_number: id, by_id: false }] as const,
  );
  const names = { ...visible, versions: new Map(versions) };
  expect(onPage('project_update', updates, names).text).toBe('Slowwater has 5 new versions');
  expect(inMail('project_update', updates, names)).toEqual({
    text: '1.4, 1.3, 1.2, and 2 more were released',
    link: '/project/slowwater/versions',
  });
});

it('mails no invitation that was answered, and nothing about what is hidden', () => {
  const answered = { ...visible, invitations: new Set<string>() };
  expect(inMail('team_invite', bodies.team_invite, answered)).toBeNull();
  const leftOut = types.filter((type) => inMail(type, bodies[type], nothing) === null);
  expect(leftOut.filter((type) => expected[type].mail.length > 0)).toEqual([
    'team_invite',
    'organization_invite',
    'server_invite',
    'moderator_message',
    'status_change',
    'webhook_off',
    'project_transferred',
    'share_changed',
    'new_project',
    'project_update',
  ]);
});
