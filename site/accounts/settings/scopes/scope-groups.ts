import type { MessageKey } from '#content/keys.ts';
import type { Scope } from '#db/platform/people/scopes/rules.ts';

/** The scopes that a token may have, in groups as people think of them, with what each allows in plain words. */
export interface ScopeGroup {
  name: MessageKey;
  scopes: ReadonlyArray<{ scope: Scope; text: MessageKey }>;
}

/** What of it somebody is offered: `issuableScopes`. */
export const scopeGroups: readonly ScopeGroup[] = [
  {
    name: 'scopes.account',
    scopes: [
      { scope: 'USER_READ', text: 'scopes.user_read' },
      { scope: 'USER_READ_EMAIL', text: 'scopes.user_read_email' },
      { scope: 'USER_WRITE', text: 'scopes.user_write' },
    ],
  },
  {
    name: 'scopes.notifications',
    scopes: [
      { scope: 'NOTIFICATION_READ', text: 'scopes.notification_read' },
      { scope: 'NOTIFICATION_WRITE', text: 'scopes.notification_write' },
    ],
  },
  {
    name: 'scopes.projects',
    scopes: [
      { scope: 'PROJECT_READ', text: 'scopes.project_read' },
      { scope: 'PROJECT_CREATE', text: 'scopes.project_create' },
      { scope: 'PROJECT_WRITE', text: 'scopes.project_write' },
      { scope: 'PROJECT_DELETE', text: 'scopes.project_delete' },
    ],
  },
  {
    name: 'scopes.versions',
    scopes: [
      { scope: 'VERSION_READ', text: 'scopes.version_read' },
      { scope: 'VERSION_CREATE', text: 'scopes.version_create' },
      { scope: 'VERSION_WRITE', text: 'scopes.version_write' },
      { scope: 'VERSION_DELETE', text: 'scopes.version_delete' },
    ],
  },
  {
    name: 'scopes.collections',
    scopes: [
      { scope: 'COLLECTION_READ', text: 'scopes.collection_read' },
      { scope: 'COLLECTION_CREATE', text: 'scopes.collection_create' },
      { scope: 'COLLECTION_WRITE', text: 'scopes.collection_write' },
      { scope: 'COLLECTION_DELETE', text: 'scopes.collection_delete' },
    ],
  },
  {
    name: 'scopes.organizations',
    scopes: [
      { scope: 'ORGANIZATION_READ', text: 'scopes.organization_read' },
      { scope: 'ORGANIZATION_CREATE', text: 'scopes.organization_create' },
      { scope: 'ORGANIZATION_WRITE', text: 'scopes.organization_write' },
      { scope: 'ORGANIZATION_DELETE', text: 'scopes.organization_delete' },
    ],
  },
  {
    name: 'scopes.messages',
    scopes: [
      { scope: 'THREAD_READ', text: 'scopes.thread_read' },
      { scope: 'THREAD_WRITE', text: 'scopes.thread_write' },
      { scope: 'REPORT_READ', text: 'scopes.report_read' },
      { scope: 'REPORT_CREATE', text: 'scopes.report_create' },
      { scope: 'REPORT_WRITE', text: 'scopes.report_write' },
      { scope: 'REPORT_DELETE', text: 'scopes.report_delete' },
    ],
  },
  {
    name: 'scopes.servers',
    scopes: [
      { scope: 'SERVER_READ', text: 'scopes.server_read' },
      { scope: 'SERVER_CREATE', text: 'scopes.server_create' },
      { scope: 'SERVER_WRITE', text: 'scopes.server_write' },
    ],
  },
  {
    name: 'scopes.money',
    scopes: [
      { scope: 'ANALYTICS', text: 'scopes.analytics' },
      { scope: 'PAYOUTS_READ', text: 'scopes.payouts_read' },
      { scope: 'PAYOUTS_WRITE', text: 'scopes.payouts_write' },
    ],
  },
  {
    name: 'scopes.instances',
    scopes: [
      { scope: 'SHARED_INSTANCE_READ', text: 'scopes.shared_instance_read' },
      { scope: 'SHARED_INSTANCE_CREATE', text: 'scopes.shared_instance_create' },
      { scope: 'SHARED_INSTANCE_WRITE', text: 'scopes.shared_instance_write' },
      { scope: 'SHARED_INSTANCE_DELETE', text: 'scopes.shared_instance_delete' },
      { scope: 'SHARED_INSTANCE_VERSION_READ', text: 'scopes.shared_instance_version_read' },
      { scope: 'SHARED_INSTANCE_VERSION_CREATE', text: 'scopes.shared_instance_version_create' },
      { scope: 'SHARED_INSTANCE_VERSION_WRITE', text: 'scopes.shared_instance_version_write' },
      { scope: 'SHARED_INSTANCE_VERSION_DELETE', text: 'scopes.shared_instance_version_delete' },
    ],
  },
  { name: 'scopes.staff', scopes: [{ scope: 'STAFF', text: 'scopes.staff_role' }] },
];

/** The groups with those of `chosen` only; groups without any are left out. */
export const groupsOf = (chosen: ReadonlySet<Scope>): ScopeGroup[] =>
  scopeGroups
    .map(({ name, scopes }) => ({ name, scopes: scopes.filter(({ scope }) => chosen.has(scope)) }))
    .filter(({ scopes }) => scopes.length > 0);
