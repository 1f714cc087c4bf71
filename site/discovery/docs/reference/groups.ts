/** A page of the reference: the operations of some tags. */
export interface Group {
  /** Last segment of its address. */
  slug: string;
  title: string;
  /** One sentence. */
  description: string;
  /** Tags of the documents. */
  tags: readonly string[];
}

/** The pages in the order of the side list; every tag of the documents stands in one of them. */
export const groups: readonly Group[] = [
  { slug: 'search', title: 'Search', description: 'Find projects.', tags: ['search'] },
  {
    slug: 'projects',
    title: 'Projects',
    description: 'Read, create and edit projects, their icons, galleries and disclosures, and follow them.',
    tags: ['projects'],
  },
  {
    slug: 'versions',
    title: 'Versions',
    description: 'Read, publish and edit versions, and find out what to install.',
    tags: ['versions'],
  },
  {
    slug: 'version-files',
    title: 'Files by hash',
    description: 'Find versions and updates by the hashes of files, one at a time or many at once.',
    tags: ['version files'],
  },
  {
    slug: 'users',
    title: 'Users',
    description: 'Profiles, what a user owns and follows, preferences and limits.',
    tags: ['users'],
  },
  {
    slug: 'teams',
    title: 'Teams',
    description: 'The members of projects and organizations, invitations and ownership.',
    tags: ['teams'],
  },
  {
    slug: 'organizations',
    title: 'Organizations',
    description: 'Organizations and the projects that they own.',
    tags: ['organizations'],
  },
  { slug: 'collections', title: 'Collections', description: 'Lists of projects.', tags: ['collections'] },
  {
    slug: 'tags',
    title: 'Tags and figures',
    description:
      'Categories, loaders, game versions, licenses and other lists of allowed values; statistics.',
    tags: ['tags', 'misc'],
  },
  {
    slug: 'notifications',
    title: 'Notifications',
    description: 'Read notifications and mark them as read.',
    tags: ['notifications'],
  },
  {
    slug: 'reports',
    title: 'Reports and threads',
    description: 'Report content, write to moderators, and attach images to texts.',
    tags: ['reports', 'threads', 'images', 'moderation'],
  },
  { slug: 'friends', title: 'Friends', description: 'Friends and blocks of users.', tags: ['friends'] },
  {
    slug: 'oauth',
    title: 'Apps',
    description: 'OAuth 2: apps, authorizations and their tokens.',
    tags: ['oauth'],
  },
  {
    slug: 'accounts',
    title: 'Accounts and sessions',
    description:
      'Sign in and up, sessions, tokens, passkeys and two-factor authentication. Mostly for launchers.',
    tags: ['auth', 'accounts', 'sessions', 'tokens'],
  },
];

/** Address of a page of the reference. */
export const groupPath = ({ slug }: Pick<Group, 'slug'>): string => `/docs/api/${slug}`;
/** Address of the page of refusals. */
export const errorsPath = '/docs/api/errors';
