/** The kinds of names in words, and for whom one is kept whose owner is gone. */
export const kindNames = {
  project: 'names.project',
  user: 'names.user',
  organization: 'names.organization',
} as const;

export const goneNames = {
  project: 'names.gone_project',
  user: 'names.gone_user',
  organization: 'names.gone_organization',
} as const;
