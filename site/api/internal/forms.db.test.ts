import { expect, test } from 'vitest';
import { notificationTypes } from '#db/notifications/rules.ts';
import type { Role } from '#db/people/rules.ts';
import { openSession } from '#db/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import type { FormDefinition } from '../../forms/form-definition.ts';
import { testApi } from '../../testing/api.ts';
import * as providerForms from '../providers/account-routes.ts';
import * as dataForms from './account-data.ts';
import * as addressForms from './addresses.ts';
import * as applicationForms from './applications.ts';
import * as authForms from './auth.ts';
import * as authorizationForms from './authorizations.ts';
import * as serverForms from './billing.ts';
import * as confirmForms from './confirm.ts';
import * as launcherForms from './launcher.ts';
import * as mailForms from './mail-lists.ts';
import * as noticeForms from './notices.ts';
import * as choiceForms from './notification-choices.ts';
import * as notificationForms from './notifications.ts';
import * as passkeyForms from './passkey-forms.ts';
import * as profileForms from './profile.ts';
import * as protectionForms from './protection.ts';
import * as tokenForms from './tokens.ts';

/** Who may send which form of our pages, and where everybody else is led. */
const database = testDatabase();
const api = testApi(database);

const server_id = 'AbCdEfGh';
const billing = `/servers/manage/${server_id}/options/billing`;
const notices = '/admin/servers/notices';
const op_id = '5f0c2b6e-7c0e-4a5e-9a39-3a2f5b1f6f10';
const choice = {
  plan: 'small',
  interval: 'monthly',
  region: 'central-europe',
  currency: 'EUR',
  card: '4242',
};
const order = { ...choice, op_id, name: 'Valley' };
const notice = { level: 'info', title: 'Maintenance' };
const step = `/servers/buy?step=review&${new URLSearchParams(choice)}&name=Valley`;

type Outcome = 'runs' | 'sign in' | string;
interface Row {
  form: FormDefinition;
  fields: Record<string, string>;
  /** Where the form stands. */
  page: string;
  /** What the form says to each caller: a refusal code, or that it was let through to its own rules. */
  visitor: Outcome;
  developer: Outcome;
  moderator: Outcome;
}
const { cancelForm, resubscribeForm, archiveForm, orderForm } = serverForms;
const staff = { visitor: 'sign in', developer: 'moderators_only' };
const unknown_server = {
  fields: { server_id },
  page: billing,
  visitor: 'sign in',
  developer: 'server_not_found',
  moderator: 'server_not_found',
};
const everybody = (code: string) => ({ visitor: code, developer: code, moderator: code });
const signedIn = {
  page: '/dashboard/notifications',
  visitor: 'sign in',
  developer: 'runs',
  moderator: 'runs',
};
const owner = (code: string) => ({ visitor: 'sign in', developer: code, moderator: code });
const table: Row[] = [
  {
    form: authForms.signInForm,
    fields: { username: 'nobody', password: 'x' },
    page: '/auth/sign-in',
    ...everybody('invalid_credentials'),
  },
  {
    form: authForms.signUpForm,
    fields: { username: 'a b', email: 'a@b.example', password: 'x', confirm_password: 'x' },
    page: '/auth/sign-up',
    ...everybody('username_malformed'),
  },
  {
    form: authForms.secondStepForm,
    fields: { code: '123456' },
    page: '/auth/sign-in',
    ...everybody('flow_invalid'),
  },
  {
    form: confirmForms.confirmForm,
    fields: { password: 'x' },
    page: '/auth/confirm',
    visitor: 'sign in',
    // accounts without a password
    developer: 'proof_other',
    moderator: 'proof_other',
  },
  {
    form: providerForms.newAccountForm,
    fields: { username: 'newcomer' },
    page: '/auth/new-account',
    ...everybody('flow_invalid'),
  },
  { form: providerForms.welcomeForm, fields: {}, ...signedIn, page: '/auth/welcome' },
  {
    form: providerForms.unlinkForm,
    fields: { provider: 'github' },
    page: '/settings/account',
    visitor: 'sign in',
    developer: 'provider_not_linked',
    moderator: 'provider_not_linked',
  },
  {
    form: launcherForms.launcherForm,
    fields: { port: '0', ipver: '4' },
    page: '/auth/sign-in',
    visitor: 'sign in',
    developer: 'launcher_address',
    moderator: 'launcher_address',
  },
  {
    form: passkeyForms.passkeySignInForm,
    fields: {},
    page: '/auth/sign-in',
    ...everybody('invalid_input'),
  },
  {
    form: passkeyForms.passkeyConfirmForm,
    fields: {},
    page: '/auth/confirm',
    ...everybody('invalid_input'),
  },
  ...protectionRows(),
  {
    form: addressForms.changeEmailForm,
    fields: { email: 'no address' },
    page: '/settings/account',
    visitor: 'sign in',
    developer: 'email_malformed',
    moderator: 'email_malformed',
  },
  {
    form: addressForms.resendForm,
    fields: {},
    page: '/auth/verify-email',
    visitor: 'sign in',
    developer: 'email_verified_before',
    moderator: 'email_verified_before',
  },
  {
    form: addressForms.verifyEmailForm,
    fields: { flow: 'none' },
    page: '/auth/verify-email',
    ...everybody('flow_invalid'),
  },
  {
    form: addressForms.requestResetForm,
    fields: { username: 'nobody' },
    page: '/auth/reset-password',
    ...everybody('runs'),
  },
  {
    form: addressForms.resetPasswordForm,
    fields: { flow: 'none', password: 'x', confirm_password: 'x' },
    page: '/auth/reset-password',
    ...everybody('reset_link_invalid'),
  },
  {
    form: mailForms.newsletterForm,
    fields: { email: 'no address' },
    page: '/newsletter',
    ...everybody('email_malformed'),
  },
  {
    form: mailForms.confirmNewsletterForm,
    fields: { flow: 'none' },
    page: '/newsletter/confirm',
    ...everybody('flow_invalid'),
  },
  {
    form: mailForms.unsubscribeForm,
    fields: { token: 'none' },
    page: '/unsubscribe',
    ...everybody('flow_invalid'),
  },
  { form: authForms.signOutForm, fields: {}, page: '/', ...everybody('runs') },
  {
    form: orderForm,
    fields: order,
    page: step,
    visitor: 'sign in',
    developer: 'terms_required',
    moderator: 'terms_required',
  },
  { form: cancelForm, ...unknown_server },
  { form: resubscribeForm, ...unknown_server },
  { form: archiveForm, ...unknown_server },
  {
    form: notificationForms.readNotificationsForm,
    fields: { key: `project:${server_id}` },
    ...signedIn,
  },
  {
    form: choiceForms.notificationChoicesForm,
    fields: Object.fromEntries(notificationTypes.map((type) => [`mail_${type}`, 'daily'])),
    ...signedIn,
    page: '/settings/notifications',
  },
  { form: dataForms.exportDataForm, fields: {}, ...signedIn, page: '/settings/account' },
  {
    form: dataForms.deleteAccountForm,
    fields: { username: 'somebody else' },
    page: '/settings/account/delete',
    visitor: 'sign in',
    developer: 'username_mismatch',
    moderator: 'username_mismatch',
  },
  { form: notificationForms.readAllNotificationsForm, fields: {}, ...signedIn },
  {
    form: notificationForms.acceptInvitationForm,
    fields: { team_id: server_id },
    page: '/dashboard/notifications',
    visitor: 'sign in',
    developer: 'not_invited',
    moderator: 'not_invited',
  },
  {
    form: notificationForms.declineInvitationForm,
    fields: { team_id: server_id },
    page: '/dashboard/notifications',
    visitor: 'sign in',
    developer: 'not_invited',
    moderator: 'not_invited',
  },
  { form: noticeForms.noticeForm, fields: notice, page: notices, ...staff, moderator: 'runs' },
  {
    form: noticeForms.endNoticeForm,
    fields: { id: server_id },
    page: notices,
    ...staff,
    moderator: 'notice_unknown',
  },
  {
    form: profileForms.profileForm,
    fields: { username: 'a b', bio: '' },
    page: '/settings/profile',
    ...owner('username_malformed'),
  },
  {
    form: tokenForms.createTokenForm,
    fields: { name: 'ci of mine', expires_in: '30', scope_USER_READ: 'on' },
    page: '/settings/pats/new',
    ...owner('runs'),
  },
  {
    form: tokenForms.editTokenForm,
    fields: { id: server_id, name: 'ci of mine', scope_USER_READ: 'on' },
    page: `/settings/pats/${server_id}`,
    ...owner('runs'),
  },
  { form: tokenForms.deleteTokenForm, fields: { id: server_id }, page: '/settings/pats', ...owner('runs') },
  {
    form: applicationForms.createApplicationForm,
    fields: { name: 'Herons', redirect_uris: 'http://evil.example/', kind: 'server' },
    page: '/settings/applications/new',
    ...owner('redirect_uri_invalid'),
  },
  {
    form: applicationForms.editApplicationForm,
    fields: { id: server_id, name: 'Herons', redirect_uris: '' },
    page: `/settings/applications/${server_id}`,
    ...owner('not_found'),
  },
  ...[applicationForms.rotateSecretForm, applicationForms.deleteApplicationForm].map((form) => ({
    form,
    fields: { id: server_id },
    page: `/settings/applications/${server_id}`,
    ...owner('not_found'),
  })),
  {
    form: authorizationForms.decideForm,
    fields: { flow: 'unknown', decision: 'accept' },
    page: '/auth/authorize',
    ...owner('oauth_server_error'),
  },
  {
    form: authorizationForms.narrowForm,
    fields: { client_id: server_id },
    page: '/settings/authorizations',
    ...owner('runs'),
  },
  {
    form: authorizationForms.revokeForm,
    fields: { client_id: server_id },
    page: '/settings/authorizations',
    ...owner('runs'),
  },
];

/** Forms of the account page; the accounts of the table have neither password nor second factor. */
function protectionRows(): Row[] {
  const code = { code: '123456' };
  const rows: Array<[FormDefinition, Record<string, string>, Outcome]> = [
    [protectionForms.passwordForm, { new_password: 'a', confirm_password: 'b' }, 'passwords_differ'],
    [protectionForms.removePasswordForm, {}, 'no_password'],
    [protectionForms.startTwoFactorForm, {}, 'runs'],
    [protectionForms.verifyTwoFactorForm, code, 'flow_invalid'],
    [protectionForms.removeTwoFactorForm, code, 'two_factor_off'],
    [protectionForms.renewCodesForm, {}, 'two_factor_off'],
    [protectionForms.codesSavedForm, {}, 'runs'],
    [protectionForms.passkeyStepForm, { on: 'true' }, 'no_passkey'],
    [protectionForms.renamePasskeyForm, { id: server_id, name: 'Phone' }, 'passkey_unknown'],
    [protectionForms.removePasskeyForm, { id: server_id }, 'passkey_unknown'],
  ];
  return rows.map(([form, fields, outcome]) => ({
    ...{ form, fields, page: '/settings/account', visitor: 'sign in' },
    ...{ developer: outcome, moderator: outcome },
  }));
}

test('the table has every form', () => {
  const modules = [
    applicationForms,
    addressForms,
    mailForms,
    authForms,
    authorizationForms,
    confirmForms,
    passkeyForms,
    protectionForms,
    noticeForms,
    notificationForms,
    profileForms,
    providerForms,
    launcherForms,
    choiceForms,
    dataForms,
    serverForms,
    tokenForms,
  ];
  // forms with a picture are multipart: `pictures.db.test.ts`
  const pictures: unknown[] = [profileForms.avatarForm, applicationForms.applicationIconForm];
  const all = modules
    .flatMap((exported) => Object.values(exported))
    .filter((one) => typeof one === 'object' && 'action' in one && !pictures.includes(one));
  expect(new Set(table.map(({ form }) => form))).toEqual(new Set(all));
});

async function headersOf(caller: 'visitor' | Role): Promise<Record<string, string>> {
  const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
  if (caller === 'visitor') return own;
  const { id } = await build.user(database.sql, { role: caller });
  const { session } = await openSession(database.sql, { user_id: id, user_agent: null, now: new Date() });
  return { ...own, cookie: `auth-token=${session}` };
}

const rows = table.flatMap((row) =>
  (['visitor', 'developer', 'moderator'] as const).map((caller) => ({ ...row, caller })),
);
test.each(rows)('$form.action by a $caller', async ({ form, fields, page, caller, ...outcomes }) => {
  const headers = await headersOf(caller);
  const body = String(new URLSearchParams({ ...fields, hl: 'de-DE' }));
  const answer = await api.call('POST', form.action, { headers, body });
  expect(answer.status).toBe(303);
  const to = new URL(answer.headers.get('location') ?? '', 'http://x');
  const expected = outcomes[caller];
  if (expected === 'runs') return expect(to.searchParams.get('error')).toBeNull();
  if (expected === 'sign in') {
    expect(to.pathname).toBe('/auth/sign-in');
    expect(to.searchParams.get('hl')).toBe('de-DE');
    const back = `${page}${page.includes('?') ? '&' : '?'}hl=de-DE`;
    // pages of signing in are nowhere to come back to
    return expect(to.searchParams.get('redirect')).toBe(/^\/auth\/(?!authorize)/.test(page) ? null : back);
  }
  expect([to.pathname, to.searchParams.get('error'), to.searchParams.get('hl')]).toEqual([
    page.split('?')[0],
    expected,
    'de-DE',
  ]);
});

test('a session that ended meanwhile is an answer of its own for scripts', async () => {
  const headers = { 'sec-fetch-site': 'same-origin' };
  const answer = await api.call('POST', cancelForm.action, { headers, json: { server_id } });
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ details: { code: 'authentication_required' } });
});

test('an order that is corrected in another step leads scripts there too', async () => {
  const { cookie } = await headersOf('developer');
  const headers = { 'sec-fetch-site': 'same-origin', cookie: cookie! };
  const refused = async (change: Record<string, string>) => {
    const json = { ...order, terms: 'on', game_version: '1.16.5', ...change };
    const answer = await api.call('POST', orderForm.action, { headers, json });
    return ((await answer.json()) as { details: { code: string; to?: string; fields: unknown[] } }).details;
  };
  expect(await refused({ card: '' })).toMatchObject({
    code: 'card_required',
    to: expect.stringMatching(/^\/servers\/buy\?step=payment&.*&error=card_required$/),
  });
  const all = await refused({ name: ' ', terms: '', game_version: '0.1' });
  expect(all.fields).toMatchObject([{ field: 'name' }, { field: 'game_version' }, { field: 'terms' }]);
  const stays = await refused({ name: ' ' });
  expect(stays).toMatchObject({ code: 'server_name_length', fields: [{ field: 'name' }] });
  expect(stays.to).toBeUndefined();
});

test('a notice says which of its fields is wrong', async () => {
  const { cookie } = await headersOf('moderator');
  const headers = { 'sec-fetch-site': 'same-origin', cookie: cookie! };
  const fields = async (change: Record<string, string>) => {
    const answer = await api.call('POST', noticeForms.noticeForm.action, {
      headers,
      json: { ...notice, ...change },
    });
    return ((await answer.json()) as { details: { fields: unknown[] } }).details.fields;
  };
  expect(await fields({ title: ' ', url: 'http://plain.example' })).toEqual([
    { field: 'title', text: 'This field is required.' },
    { field: 'url', text: 'Enter a full URL that starts with https://.' },
  ]);
  expect(await fields({ target: 'servers', server_ids: 'no id' })).toMatchObject([{ field: 'server_ids' }]);
  expect(await fields({ target: 'servers', server_ids: server_id })).toMatchObject([{ field: 'server_ids' }]);
  expect(await fields({ begins: '2026-11-22T10:00', expires: '2026-11-22T09:00' })).toEqual([
    { field: 'expires', text: 'The end must be after the start.' },
  ]);
});
