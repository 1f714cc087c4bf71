import type { MessageKey } from '#content/keys.ts';
import {
  type OrganizationPermission,
  organizationBits,
  type Permission,
  projectBits,
} from '#db/catalogue/teams/rules.ts';

/** A right in words: a bit of a set, and the check box for it, which has a name of its own in a form. */
export interface Right {
  bit: number;
  field: string;
  name: MessageKey;
  text: MessageKey;
}

const projectWords: Record<Permission, [name: MessageKey, text: MessageKey]> = {
  UPLOAD_VERSION: ['team.upload_version', 'team.upload_version_text'],
  DELETE_VERSION: ['team.delete_version', 'team.delete_version_text'],
  EDIT_DETAILS: ['team.edit_details', 'team.edit_details_text'],
  EDIT_BODY: ['team.edit_body', 'team.edit_body_text'],
  MANAGE_INVITES: ['team.manage_invites', 'team.manage_invites_text'],
  REMOVE_MEMBER: ['team.remove_member', 'team.remove_member_text'],
  EDIT_MEMBER: ['team.edit_member', 'team.edit_member_text'],
  DELETE_PROJECT: ['team.delete_project', 'team.delete_project_text'],
  VIEW_ANALYTICS: ['team.view_analytics', 'team.view_analytics_text'],
  VIEW_PAYOUTS: ['team.view_payouts', 'team.view_payouts_text'],
};

const organizationWords: Record<OrganizationPermission, [name: MessageKey, text: MessageKey]> = {
  EDIT_DETAILS: ['team.edit_organization', 'team.edit_organization_text'],
  MANAGE_INVITES: ['team.manage_invites', 'team.manage_invites_text'],
  REMOVE_MEMBER: ['team.remove_member', 'team.remove_member_text'],
  EDIT_MEMBER: ['team.edit_member', 'team.edit_member_text'],
  ADD_PROJECT: ['team.add_project', 'team.add_project_text'],
  REMOVE_PROJECT: ['team.remove_project', 'team.remove_project_text'],
  DELETE_ORGANIZATION: ['team.delete_organization', 'team.delete_organization_text'],
  EDIT_MEMBER_DEFAULT_PERMISSIONS: ['team.edit_defaults', 'team.edit_defaults_text'],
};

/** The two sets of rights, each with the name of the hidden field that says that a form has its boxes. */
export type RightSet = 'permissions' | 'organization_permissions';

const right =
  (set: RightSet, bits: Readonly<Record<string, number>>) =>
  ([permission, [name, text]]: [string, [MessageKey, MessageKey]]): Right => ({
    bit: bits[permission]!,
    field: `${set}_${permission}`,
    name,
    text,
  });

export const rightsOf: Record<RightSet, readonly Right[]> = {
  permissions: Object.entries(projectWords).map(right('permissions', projectBits)),
  organization_permissions: Object.entries(organizationWords).map(
    right('organization_permissions', organizationBits),
  ),
};

/** The names of all fields of both sets. */
export const rightFields: readonly string[] = Object.entries(rightsOf).flatMap(([set, rights]) => [
  set,
  ...rights.map(({ field }) => field),
]);

/** The bits whose boxes were checked; undefined when the form had none of them. */
export const bitsOfFields = (set: RightSet, fields: Readonly<Record<string, unknown>>): number | undefined =>
  typeof fields[set] === 'string'
    ? rightsOf[set].reduce(
        (bits, { bit, field }) => (typeof fields[field] === 'string' ? bits | bit : bits),
        0,
      )
    : undefined;

/** The bits as the fields of a form. */
export const fieldsOfBits = (set: RightSet, bits: number): Record<string, string> => ({
  [set]: 'on',
  ...Object.fromEntries(
    rightsOf[set].filter(({ bit }) => (bits & bit) !== 0).map(({ field }) => [field, 'on']),
  ),
});

type Preset = [name: MessageKey, permissions: readonly (Permission | OrganizationPermission)[]];

const usual: Record<RightSet, readonly Preset[]> = {
  permissions: [
    ['team.preset_uploader', ['UPLOAD_VERSION']],
    [
      'team.preset_maintainer',
      ['UPLOAD_VERSION', 'DELETE_VERSION', 'EDIT_DETAILS', 'EDIT_BODY', 'VIEW_ANALYTICS'],
    ],
  ],
  organization_permissions: [
    ['team.preset_projects', ['ADD_PROJECT', 'REMOVE_PROJECT']],
    [
      'team.preset_members',
      ['MANAGE_INVITES', 'REMOVE_MEMBER', 'EDIT_MEMBER', 'EDIT_MEMBER_DEFAULT_PERMISSIONS'],
    ],
  ],
};

/** The usual sets of rights, each with the names of its check boxes: some, all, none. */
export const rightPresets = (
  set: RightSet,
): ReadonlyArray<{ name: MessageKey; fields: readonly string[] }> => [
  ...usual[set].map(([name, permissions]) => ({
    name,
    fields: permissions.map((permission) => `${set}_${permission}`),
  })),
  { name: 'team.preset_all', fields: rightsOf[set].map(({ field }) => field) },
  { name: 'team.preset_none', fields: [] },
];
