import { expect, test } from 'vitest';
import { chosenTypes } from '#db/messages/notifications/rules.ts';
import type { Role } from '#db/platform/people/rules.ts';
import { openSession } from '#db/platform/people/session.ts';
import * as build from '#db/testing/builders/build.ts';
import { testDatabase } from '#db/testing/database.ts';
import * as authorizationForms from '../../accounts/authorize/authorization-forms.server.ts';
import * as bulkForms from '../../accounts/dashboard/bulk-edit-forms.server.ts';
import * as notificationForms from '../../accounts/dashboard/notification-actions.server.ts';
import * as nameForms from '../../accounts/kept-names/name-forms.server.ts';
import * as launcherForms from '../../accounts/launcher/launcher-forms.server.ts';
import * as mailForms from '../../accounts/mail-lists/list-forms.server.ts';
import * as providerForms from '../../accounts/providers/account-routes.server.ts';
import * as dataForms from '../../accounts/settings/account/account-data-forms.server.ts';
import * as addressForms from '../../accounts/settings/account/address-forms.server.ts';
import * as protectionForms from '../../accounts/settings/account/protection-forms.server.ts';
import * as applicationForms from '../../accounts/settings/applications/application-forms.server.ts';
import * as choiceForms from '../../accounts/settings/notification-choice-forms.server.ts';
import * as profileForms from '../../accounts/settings/profile-forms.server.ts';
import * as tokenForms from '../../accounts/settings/tokens/token-forms.server.ts';
import * as confirmForms from '../../accounts/sign-in/confirm-forms.server.ts';
import * as passkeyForms from '../../accounts/sign-in/passkey-forms.server.ts';
import * as authForms from '../../accounts/sign-in/sign-in-forms.server.ts';
import * as collectionForms from '../../catalogue/collection/collection-forms.server.ts';
import * as unfollowForms from '../../catalogue/collection/unfollow-form.server.ts';
import * as organizationForms from '../../catalogue/organization-settings/organization-forms.server.ts';
import * as organizationProjectForms from '../../catalogue/organization-settings/project-forms.server.ts';
import * as pinForms from '../../catalogue/pins/pin-forms.server.ts';
import * as descriptionForms from '../../catalogue/project-settings/description-form.server.ts';
import * as disclosureForms from '../../catalogue/project-settings/disclosures-form.server.ts';
import * as environmentForms from '../../catalogue/project-settings/environment-form.server.ts';
import * as galleryForms from '../../catalogue/project-settings/gallery-forms.server.ts';
import * as generalForms from '../../catalogue/project-settings/general-forms.server.ts';
import * as licenseForms from '../../catalogue/project-settings/license-form.server.ts';
import * as linkForms from '../../catalogue/project-settings/links-form.server.ts';
import * as tagForms from '../../catalogue/project-settings/tags-form.server.ts';
import * as createForms from '../../catalogue/publish/create-forms.server.ts';
import * as teamForms from '../../catalogue/team/member-forms.server.ts';
import * as serverForms from '../../hosting/checkout/billing-forms.server.ts';
import * as invitationForms from '../../hosting/list/invitation-forms.server.ts';
import * as noticeForms from '../../hosting/notices/notice-forms.server.ts';
import * as threadForms from '../../messages/threads/message-forms.server.ts';
import * as webhookForms from '../../messages/webhooks/webhook-forms.server.ts';
import * as reportForms from '../../moderation/reports/report-forms.server.ts';
import * as moderationForms from '../../moderation/tab/moderation-forms.server.ts';
import * as takedownForms from '../../moderation/takedowns/takedown-forms.server.ts';
import * as plusForms from '../../money/plus/plus-forms.server.ts';
import type { FormDefinition } from '../../platform/forms/form-definition.ts';
import { testApi } from '../../testing/api.ts';

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
  /** Where a refused one is led, where that is another page. */
  refused_page?: string;
  /** What the form says to each caller: a refusal code, or that it was let through to its own rules. */
  visitor: Outcome;
  developer: Outcome;
  moderator: Outcome;
}
const { cancelForm, resubscribeForm, archiveForm, orderForm, changePlanForm, cancelPlanChangeForm } =
  serverForms;
const staff = { visitor: 'sign in', developer: 'moderators_only' };
const unknown_server = {
  fields: { server_id },
  page: billing,
  visitor: 'sign in',
  developer: 'server_not_found',
  moderator: 'server_not_found',
};
const webhook_page = `/project/${server_id}/settings/webhooks`;
const unknown_webhook = {
  fields: { project: server_id, id: 'AABBCCDD', delivery: 'EEFFGGHH' },
  page: `${webhook_page}?webhook=AABBCCDD`,
  visitor: 'sign in',
  developer: 'webhook_unknown',
  moderator: 'webhook_unknown',
};
const webhook_fields = { name: 'Hook', address: 'https://hooks.example.org/', event_version_edited: 'on' };
const unknown_gallery = {
  page: `/project/${server_id}/settings/gallery`,
  visitor: 'sign in',
  developer: 'project_unknown',
  moderator: 'project_unknown',
};
const unknown_picture = {
  ...unknown_gallery,
  fields: { id: server_id, picture: 'a.png' },
  page: `${unknown_gallery.page}?picture=a.png`,
};
const everybody = (code: string) => ({ visitor: code, developer: code, moderator: code });
const signedIn = {
  page: '/dashboard/notifications',
  visitor: 'sign in',
  developer: 'runs',
  moderator: 'runs',
};
const owner = (code: string) => ({ visitor: 'sign in', developer: code, moderator: code });
const unknown_project = {
  fields: { project: 'AABBCCDD' },
  page: '/project/AABBCCDD/settings/general',
  visitor: 'sign in',
  developer: 'not_found',
  moderator: 'not_found',
};
const table: Row[] = [
  {
    form: generalForms.generalForm,
    ...unknown_project,
    fields: { project: 'AABBCCDD', title: 'Cave', slug: 'cave', summary: 'Caves' },
  },
  {
    form: generalForms.archiveProjectForm,
    ...unknown_project,
    fields: { project: 'AABBCCDD', archived: 'yes' },
  },
  ...(
    [
      [environmentForms.environmentForm, { environment: 'client_only' }],
      [environmentForms.verifyEnvironmentForm, {}],
      [licenseForms.licenseForm, { license: 'MIT' }],
      [linkForms.linksForm, {}],
      [tagForms.tagsForm, {}],
    ] as const
  ).map(([form, fields]) => ({
    form,
    ...unknown_project,
    fields: { project: 'AABBCCDD', ...fields },
    page: `/project/AABBCCDD/settings/${form.action.split('/')[3]}`,
  })),
  { form: generalForms.clearMessageForm, ...unknown_project },
  {
    form: generalForms.scheduleProjectForm,
    ...unknown_project,
    fields: { project: 'AABBCCDD', time: '2199-01-01T10:00', requested_status: 'approved' },
  },
  {
    form: generalForms.deleteProjectForm,
    ...unknown_project,
    fields: { project: 'AABBCCDD', confirm_name: 'Cave' },
  },
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
  {
    ...unknown_webhook,
    form: webhookForms.createWebhookForm,
    fields: { project: server_id, ...webhook_fields },
    page: webhook_page,
    developer: 'not_found',
    moderator: 'not_found',
  },
  {
    ...unknown_webhook,
    form: webhookForms.editWebhookForm,
    fields: { ...unknown_webhook.fields, ...webhook_fields },
  },
  { form: webhookForms.testWebhookForm, ...unknown_webhook },
  { form: webhookForms.rotateWebhookForm, ...unknown_webhook },
  { form: webhookForms.deleteWebhookForm, ...unknown_webhook },
  { form: webhookForms.resendDeliveryForm, ...unknown_webhook },
  { form: galleryForms.galleryOrderForm, ...unknown_gallery, fields: { id: server_id, order: 'a.png' } },
  { form: galleryForms.galleryCaptionForm, ...unknown_picture },
  { form: galleryForms.galleryRemoveForm, ...unknown_picture },
  ...protectionRows(),
  ...teamRows(),
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
  {
    form: bulkForms.bulkEditForm,
    fields: { ids: server_id, source: 'https://git.example/x' },
    page: '/dashboard/projects',
    ...owner('project_unknown'),
  },
  {
    form: collectionForms.editCollectionForm,
    fields: { id: server_id, name: 'Shelf', description: '' },
    page: `/collection/${server_id}/edit`,
    ...owner('not_found'),
  },
  {
    form: collectionForms.deleteCollectionForm,
    fields: { id: server_id },
    page: `/collection/${server_id}/edit`,
    ...owner('not_found'),
  },
  {
    form: createForms.createProjectForm,
    fields: { type: 'mod', name: 'Pale Ferns', slug: 'a b', summary: 'Ferns for dark corners' },
    page: '/dashboard/projects/new',
    ...owner('slug_invalid'),
  },
  {
    form: createForms.createCollectionForm,
    fields: { name: 'Slow evenings', description: '' },
    page: '/dashboard/collections/new',
    ...owner('runs'),
  },
  {
    ...{ form: changePlanForm, ...unknown_server },
    fields: { server_id, op_id, plan: 'small', interval: 'monthly' },
    page: `${billing}?plan=small&interval=monthly`,
  },
  { form: cancelPlanChangeForm, ...unknown_server },
  ...[invitationForms.acceptServerForm, invitationForms.declineServerForm].map((form) => ({
    ...{ form, fields: { server_id }, page: '/servers/manage', visitor: 'sign in' },
    ...{ developer: 'server_not_invited', moderator: 'server_not_invited' },
  })),
  { form: cancelForm, ...unknown_server },
  {
    ...{ form: cancelForm, ...unknown_server },
    fields: { server_id, cancel_reason: 'price', cancel_note: 'Too much' },
  },
  { form: resubscribeForm, ...unknown_server },
  { form: archiveForm, ...unknown_server },
  {
    form: plusForms.plusForm,
    fields: { op_id, interval: 'monthly', currency: 'EUR' },
    page: '/settings/billing/plus?interval=monthly&currency=EUR',
    ...owner('card_required'),
  },
  { form: plusForms.plusRenewForm, fields: {}, page: '/settings/billing/plus', ...owner('plus_unknown') },
  { form: plusForms.plusCancelForm, fields: {}, page: '/settings/billing', ...owner('plus_unknown') },
  {
    form: plusForms.plusSwitchForm,
    fields: { interval: 'yearly' },
    page: '/settings/billing',
    ...owner('plus_unknown'),
  },
  {
    form: notificationForms.readNotificationsForm,
    fields: { key: `project:${server_id}` },
    ...signedIn,
  },
  {
    form: choiceForms.notificationChoicesForm,
    fields: Object.fromEntries(chosenTypes.map((type) => [`mail_${type}`, 'daily'])),
    ...signedIn,
    page: '/settings/notifications',
  },
  {
    form: choiceForms.followChoiceForm,
    fields: { project_id: server_id, mode: 'none' },
    page: `/settings/notifications/${server_id}`,
    refused_page: '/settings/notifications',
    visitor: 'sign in',
    developer: 'not_following',
    moderator: 'not_following',
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
    form: disclosureForms.disclosuresForm,
    fields: { project: server_id },
    page: `/project/${server_id}/settings/disclosures`,
    ...owner('not_found'),
  },
  {
    form: descriptionForms.descriptionForm,
    fields: { project: server_id, body: 'Stones' },
    page: `/project/${server_id}/settings/description`,
    ...owner('not_found'),
  },
  ...[moderationForms.submitForm, moderationForms.withdrawForm].map((form) => ({
    form,
    fields: { project: server_id },
    page: `/project/${server_id}/moderation`,
    ...owner('not_found'),
  })),
  {
    form: reportForms.decideReportForm,
    fields: { report: server_id, outcome: 'accepted' },
    page: `/moderation/reports/${server_id}`,
    ...staff,
    moderator: 'not_found',
  },
  {
    form: takedownForms.takeDownForm,
    fields: { project: 'no-such-project', kind: 'other', reference: '', reason: 'Stones' },
    page: '/admin/takedowns/new',
    ...staff,
    moderator: 'project_unknown',
  },
  {
    form: takedownForms.decideTakedownForm,
    fields: { id: server_id, decision: 'restore', message: '' },
    page: `/admin/takedowns/${server_id}`,
    ...staff,
    moderator: 'not_found',
  },
  {
    form: nameForms.releaseNameForm,
    fields: { kind: 'project', name: 'no-such-name', reason: 'Its owner asked for it' },
    page: '/admin/names?kind=project&q=no-such-name',
    ...staff,
    moderator: 'not_found',
  },
  {
    form: takedownForms.counterNoticeForm,
    fields: { project: server_id, notice: 'These stones are my own stones, all of them.', stated: 'on' },
    page: `/project/${server_id}/moderation`,
    ...owner('not_found'),
  },
  {
    form: reportForms.reportForm,
    fields: { item_type: 'project', item: server_id, report_type: 'spam', body: 'Stones' },
    page: `/report?type=project&item=${server_id}`,
    ...owner('report_item_unknown'),
  },
  {
    form: threadForms.replyForm,
    fields: { thread: server_id, reply: 'Stones', back: '/dashboard/reports' },
    page: '/dashboard/reports',
    ...owner('not_found'),
  },
  {
    form: threadForms.reportStateForm,
    fields: { report: server_id, state: 'closed', back: '/moderation/reports' },
    page: '/moderation/reports',
    ...owner('not_found'),
  },
  {
    form: threadForms.deleteMessageForm,
    fields: { message: server_id, back: 'https://elsewhere.example/' },
    page: '/dashboard',
    ...owner('not_found'),
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

/** Forms of a team that does not exist: nobody learns more. */
function teamRows(): Row[] {
  const page = '/mod/lanternroot/settings/members';
  const member = { team_id: server_id, user_id: server_id, page };
  const group = `/organization/${server_id}/settings`;
  const about = { name: 'Herons', description: 'They stand and look.' };
  const given = { role: 'Artist', payouts_split: '10' };
  const own = `${page}?member=${server_id}`;
  const move = { organization_id: server_id, project_id: server_id, page };
  const rows: Array<[FormDefinition, Record<string, string>, string, Outcome]> = [
    [teamForms.inviteForm, { ...member, ...given, username: 'nobody-at-all' }, page, 'user_unknown'],
    [teamForms.editMemberForm, { ...member, ...given }, own, 'not_found'],
    [teamForms.orderMembersForm, { ...member, order: server_id }, page, 'not_found'],
    [teamForms.removeMemberForm, member, own, 'not_found'],
    [teamForms.transferForm, { ...member, new_owner: server_id }, page, 'not_found'],
    [
      organizationForms.createOrganizationForm,
      { ...about, slug: 'a b' },
      '/organization/new',
      'slug_invalid',
    ],
    [organizationForms.editOrganizationForm, { id: server_id, ...about, slug: 'herons' }, group, 'not_found'],
    [organizationForms.deleteOrganizationForm, { id: server_id, confirm_name: 'Herons' }, group, 'not_found'],
    [pinForms.pinsForm, { order: server_id }, '/settings/profile', 'pin_unknown'],
    // whoever is followed no more is no reason to refuse
    [unfollowForms.unfollowUserForm, { user: 'AABBCCDD' }, '/collection/following', 'runs'],
    [organizationProjectForms.addProjectForm, move, page, 'not_found'],
    [organizationProjectForms.removeProjectForm, { ...move, heir: server_id }, page, 'not_found'],
  ];
  return rows.map(([form, fields, at, outcome]) => ({ form, fields, page: at, ...owner(outcome) }));
}

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
    galleryForms,
    unfollowForms,
    authorizationForms,
    bulkForms,
    collectionForms,
    confirmForms,
    createForms,
    passkeyForms,
    protectionForms,
    noticeForms,
    notificationForms,
    organizationForms,
    pinForms,
    plusForms,
    organizationProjectForms,
    profileForms,
    environmentForms,
    generalForms,
    licenseForms,
    linkForms,
    tagForms,
    providerForms,
    launcherForms,
    choiceForms,
    dataForms,
    descriptionForms,
    disclosureForms,
    serverForms,
    invitationForms,
    teamForms,
    moderationForms,
    takedownForms,
    nameForms,
    reportForms,
    threadForms,
    tokenForms,
    webhookForms,
  ];
  // forms with a picture are multipart: `pictures.db.test.ts`
  const pictures: unknown[] = [
    profileForms.avatarForm,
    profileForms.bannerForm,
    applicationForms.applicationIconForm,
    generalForms.projectIconForm,
    galleryForms.galleryAddForm,
    organizationForms.organizationIconForm,
    collectionForms.collectionIconForm,
  ];
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
test.each(rows)(
  '$form.action by a $caller',
  async ({ form, fields, page, refused_page, caller, ...outcomes }) => {
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
      refused_page ?? page.split('?')[0],
      expected,
      'de-DE',
    ]);
  },
);

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
