import { z } from 'zod';

/**
 * What v3 answers, field by field, written down from the reference and not from the product: no field is missing, and none
 * is there that the reference does not name. Source: api-v3 §2, §3; api-v2 §1.2, §1.7, §2.
 */
const id = z.string().regex(/^[0-9A-Za-z]{8}$/);
const instant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const offsetInstant = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?\+00:00$/);
const url = z.url();
const text = z.string();
const texts = z.array(text);
const count = z.int().nonnegative();
const object = z.strictObject;
const status = z.enum([
  'approved',
  'rejected',
  'draft',
  'unlisted',
  'processing',
  'withheld',
  'scheduled',
  'private',
  'unknown',
]);
const versionStatus = z.enum(['listed', 'archived', 'draft', 'unlisted', 'scheduled', 'unknown']);
const environment = z.enum([
  'client_and_server',
  'client_only',
  'client_only_server_optional',
  'singleplayer_only',
  'server_only',
  'server_only_client_optional',
  'dedicated_server_only',
  'client_or_server',
  'client_or_server_prefers_both',
  'unknown',
]);
/** Server listings are built by nobody in this round: their components are null. */
const component = z.null();
const components = {
  minecraft_mod: component,
  minecraft_server: component,
  minecraft_java_server: component,
  minecraft_bedrock_server: component,
};

const note = object({
  notes: text,
  last_modified: instant,
  created_at: instant,
  last_author: id.nullable(),
  user_rating: z.int(),
  version: z.int(),
});

export const user = object({
  id,
  username: text,
  avatar_url: url.nullable(),
  bio: text.nullable(),
  created: instant,
  role: z.enum(['developer', 'moderator', 'admin']),
  badges: count,
  campaigns: object({ pride_26: z.null() }),
  auth_providers: texts.nullable(),
  email: text.nullable(),
  email_verified: z.boolean().nullable(),
  has_password: z.boolean().nullable(),
  has_totp: z.boolean().nullable(),
  payout_data: object({
    paypal_address: text.nullable(),
    paypal_country: text.nullable(),
    venmo_handle: text.nullable(),
    balance: z.number(),
  }).nullable(),
  stripe_customer_id: text.nullable(),
  allow_friend_requests: z.boolean().nullable(),
  eligibility_verified_at: instant.nullable(),
  moderation_notes: note.nullable().optional(),
  github_id: count.nullable(),
  discord_id: text.optional(),
  steam_id: text.optional(),
});

/** A member in v2: its user is that of v3, and it has neither `is_owner` nor permissions of organizations. */
export const memberV2 = object({
  team_id: id,
  user,
  role: text,
  permissions: count.nullable(),
  accepted: z.boolean(),
  payouts_split: z.number().nullable(),
  ordering: z.int(),
});
export const member = memberV2.extend({
  is_owner: z.boolean(),
  organization_permissions: count.nullable(),
});

export const project = object({
  id,
  team_id: id,
  thread_id: id,
  slug: text.nullable(),
  project_types: texts,
  games: texts,
  organization: id.nullable(),
  name: text,
  summary: text,
  description: text,
  published: instant,
  updated: instant,
  approved: instant.nullable(),
  queued: instant.nullable(),
  status,
  requested_status: status.nullable(),
  moderator_message: object({ message: text, body: text.nullable() }).nullable(),
  license: object({ id: text, name: text, url: url.nullable() }),
  downloads: count,
  followers: count,
  categories: texts,
  additional_categories: texts,
  loaders: texts,
  versions: z.array(id),
  icon_url: url.nullable(),
  raw_icon_url: url.nullable(),
  link_urls: z.record(text, object({ platform: text, donation: z.boolean(), url })),
  gallery: z.array(
    object({
      url,
      raw_url: url,
      featured: z.boolean(),
      name: text.nullable(),
      description: text.nullable(),
      alt: text.nullable(), // ours: a text for those who cannot see the picture
      created: instant,
      ordering: z.int(),
    }),
  ),
  color: count.nullable(),
  monetization_status: z.enum(['monetized', 'demonetized', 'force-demonetized']),
  side_types_migration_review_status: z.enum(['reviewed', 'pending']),
  ...components,
  game_versions: texts.optional(),
  environment: z.array(environment).optional(),
  mrpack_loaders: texts.optional(),
});

const hashes = object({
  sha1: z.string().regex(/^[0-9a-f]{40}$/),
  sha512: z.string().regex(/^[0-9a-f]{128}$/),
});
const file = object({
  id,
  hashes,
  url,
  filename: text,
  primary: z.boolean(),
  size: count,
  file_type: text.nullable(),
});
export const version = object({
  id,
  project_id: id,
  author_id: id,
  featured: z.boolean(),
  name: text,
  version_number: text,
  project_types: texts,
  games: texts,
  changelog: text.optional(),
  date_published: instant,
  downloads: count,
  version_type: z.enum(['release', 'beta', 'alpha']),
  status: versionStatus,
  requested_status: versionStatus.nullable(),
  files: z.array(file),
  dependencies: z.array(
    object({
      version_id: id.nullable(),
      project_id: id.nullable(),
      file_name: text.nullable(),
      dependency_type: z.enum(['required', 'optional', 'incompatible', 'embedded']),
    }),
  ),
  loaders: texts,
  ordering: z.int().nullable(),
  minecraft_java_server: component,
  game_versions: texts,
  environment: environment.optional(),
  mrpack_loaders: texts.optional(),
});
/** The answer of a create leaves out the ids of files. Source: api-v2 §2.2. */
export const createdVersion = version.extend({ files: z.array(file.omit({ id: true })) });

export const organization = object({
  id,
  slug: text,
  name: text,
  team_id: id,
  description: text,
  icon_url: url.nullable(),
  color: count.nullable(),
  members: z.array(member),
  moderation_notes: note.nullable().optional(),
});

export const collection = object({
  id,
  user: id,
  name: text,
  description: text.nullable(),
  icon_url: url.nullable(),
  color: count.nullable(),
  status: z.enum(['listed', 'unlisted', 'private', 'rejected', 'unknown']),
  created: instant,
  updated: instant,
  projects: z.array(id),
});

export const image = object({
  id,
  url,
  size: count,
  created: instant,
  owner_id: id,
  context: z.enum(['project', 'version', 'thread_message', 'report', 'unknown']),
  project_id: id.nullable(),
});

export const disclosure = object({
  type: z.literal('advertisements'),
  note: text.nullable(),
  updated_at: instant,
  set_by_moderator: z.boolean(),
  lock_status: z.enum(['unlocked', 'cannot_disable', 'fully_locked']),
  updated_by: id.nullable(),
  deleted_at: instant.nullable(),
});

export const thread = object({
  id,
  type: z.enum(['report', 'project', 'direct_message']),
  project_id: id.nullable(),
  report_id: id.nullable(),
  messages: z.array(
    object({
      id,
      author_id: id.nullable(),
      body: object({
        type: z.literal('text'),
        body: text,
        private: z.boolean(),
        replying_to: id.nullable(),
        associated_images: texts,
      }),
      created: instant,
      hide_identity: z.boolean(),
    }),
  ),
  members: z.array(user),
});

export const report = object({
  id,
  report_type: z.enum(['spam', 'copyright', 'inappropriate', 'malicious', 'name-squatting']),
  item_id: id,
  item_type: z.enum(['project', 'version', 'user', 'unknown']),
  reporter: id,
  body: text,
  created: instant,
  closed: z.boolean(),
  thread_id: id,
});

export const notification = object({
  id,
  user_id: id,
  read: z.boolean(),
  created: instant,
  body: object({ type: z.literal('project_update'), project_id: id, version_id: id }),
  name: text,
  text,
  link: text,
  actions: z.array(object({ name: text, action_route: z.tuple([text, text]) })),
});

const dependencyIds = z.array(id);
const hit = object({
  version_id: id.optional(),
  project_id: id,
  project_types: texts,
  all_project_types: texts,
  slug: text.nullable(),
  author: text,
  author_id: id,
  organization: text.nullable(),
  organization_id: id.nullable(),
  name: text,
  summary: text,
  categories: texts,
  display_categories: texts,
  downloads: count,
  follows: count,
  icon_url: text.nullable(),
  date_created: offsetInstant,
  date_modified: offsetInstant,
  license: text,
  gallery: texts,
  featured_gallery: text.nullable(),
  color: count.nullable(),
  dependency_project_ids: dependencyIds,
  compatible_dependency_project_ids: dependencyIds,
  required_dependency_project_ids: dependencyIds,
  optional_dependency_project_ids: dependencyIds,
  embedded_dependency_project_ids: dependencyIds,
  incompatible_dependency_project_ids: dependencyIds,
  dependencies: z.array(
    object({
      project_id: id,
      dependency_type: text,
      name: text,
      slug: text.nullable(),
      icon_url: text.nullable(),
    }),
  ),
  disclosure_types: texts,
  loaders: texts,
  project_loader_fields: z.record(text, z.array(z.unknown())),
  ...components,
  game_versions: texts.optional(),
  environment: texts.optional(),
  mrpack_loaders: texts.optional(),
});
export const found = object({
  hits: z.array(hit).min(1),
  page: count,
  hits_per_page: count,
  total_hits: count,
});

export const category = object({ icon: text, name: text, project_type: text, header: text });
export const loader = object({
  icon: text,
  name: text,
  supported_project_types: texts,
  supported_games: texts,
  supported_fields: texts,
  metadata: object({ platform: z.boolean().optional() }),
});
export const fieldValue = object({
  id: z.int(),
  enum_id: z.int(),
  value: text,
  ordering: z.int().nullable(),
  created: instant,
  type: text,
  major: z.boolean(),
});
export const game = object({ slug: text, name: text, icon: text.nullable(), banner: text.nullable() });
export const license = object({ short: text, name: text });
export const licenseText = object({ title: text, body: text });
export const linkPlatform = object({ name: text, donation: z.boolean() });
export const statistics = object({ projects: count, versions: count, authors: count, files: count });
export const limit = object({ current: count, max: count });
export const friend = object({ id, friend_id: id, accepted: z.boolean(), created: instant });
export const foundUser = object({ id, username: text, avatar_url: url.nullable() });
export const check = object({ id });
export const names = texts;
export const ids = z.array(id);

const step = { project_id: id, version_id: id, dependent_on_version_id: id.nullable() };
export const plan = object({
  primary: object(step),
  dependencies: z.array(object(step)),
  skipped: z.array(object({ ...step, project_id: id.nullable(), version_id: id.nullable(), reason: text })),
});
export const dependencies = object({ projects: z.array(project), versions: z.array(version) });
export const allProjects = object({
  projects: z.array(project).min(1),
  organizations: z.record(id, organization),
});

const layout = z.enum(['grid', 'rows']);
const audience = z.enum(['none', 'friends', 'mutual', 'everyone']);
export const preferences = object({
  appearance: object({ auto: z.boolean(), theme: z.enum(['light', 'dark', 'oled', 'retro']) }),
  behavior: object({
    minimize_app: z.boolean(),
    hide_right_sidebar: z.boolean(),
    show_jump_in: z.literal(true),
    compact_instance_cards: z.boolean(),
    show_play_time: z.literal(true),
    hide_nametag: z.boolean(),
    warn_on_unknown_modpacks: z.literal(true),
    skip_non_essential_warnings: z.boolean(),
  }),
  localization: object({ locale: z.literal('en-US') }),
  layouts: object({
    mods: layout,
    plugins: layout,
    datapacks: layout,
    shaders: z.literal('grid'),
    resourcepacks: z.literal('grid'),
    modpacks: layout,
    servers: layout,
    users: layout,
  }),
  sidebars: object({ right_aligned_search: z.boolean(), left_aligned_content: z.boolean() }),
  social: object({
    friend_privacy: audience,
    shared_instances_privacy: audience,
    hosting_access_privacy: audience,
  }),
});

const clientFields = {
  id,
  name: text,
  icon_url: text.nullable(),
  max_scopes: z.int(),
  redirect_uris: z.array(object({ id, client_id: id, uri: text })).min(1),
  created_by: id,
  created: text,
  url: text.nullable(),
  description: text.nullable(),
};
export const oauthClient = object(clientFields);
export const createdOAuthClient = object({ ...clientFields, client_secret: text });
export const oauthAuthorization = object({ id, app_id: id, user_id: id, scopes: z.int(), created: text });

/** Of each project the sums by Unix seconds or country. */
export const analyticsSums = z.record(id, z.record(z.string().regex(/^(\d+|[A-Z]{2})$/), count));
export const noSums = z.record(id, object({}));
const dollars = z.string().regex(/^\d+(\.\d+)?$/);
export const payoutBalance = object({
  available: dollars,
  withdrawn_lifetime: dollars,
  withdrawn_ytd: dollars,
  pending: dollars,
  dates: z.record(z.string(), dollars),
  requested_form_type: z.enum(['W-8BEN', 'W-8BEN-E', 'W-9']).nullable(),
  form_completion_status: z.enum(['unknown', 'unrequested', 'unsigned', 'tin-mismatch', 'complete']),
});
export const payoutAvailable = object({
  type: z.literal('payout_available'),
  created: z.string(),
  payout_source: z.enum(['creator_rewards', 'affilites']),
  amount: dollars,
});
export const withdrawal = object({
  type: z.literal('withdrawal'),
  id,
  status: z.enum(['success', 'in-transit', 'cancelled', 'cancelling', 'failed', 'unknown']),
  created: z.string(),
  amount: z.number(),
  fee: z.number().nullable(),
  method_type: z.string(),
  method_id: z.string(),
  method_address: z.string(),
});
export const payoutMethod = object({
  id: text,
  type: text,
  name: text,
  category: text,
  image_url: text.nullable(),
  image_logo_url: text.nullable(),
  interval: z.union([
    object({ standard: object({ min: dollars, max: dollars }) }),
    object({ fixed: object({ values: z.array(dollars).min(1) }) }),
  ]),
  currency_code: text.nullable(),
  exchange_rate: dollars.nullable(),
});
export const payoutFees = object({ net_usd: dollars, fee: dollars, exchange_rate: dollars.nullable() });
export const platformRevenue = object({
  all_time: dollars,
  all_time_available: dollars,
  data: z.array(object({ time: count, revenue: dollars, creator_revenue: dollars })),
});
const values = z.array(text.nullable());
const monetized = z.array(z.boolean());
export const facets = object({
  facets: object({
    project_views: object({ domain: values, site_path: values, monetized, country: texts }),
    project_downloads: object({
      ...{ domain: values, user_agent: texts, version_id: values, monetized, country: texts },
      ...{ reason: values, game_version: values, loader: values },
    }),
    project_playtime: object({ version_id: values, loader: values, game_version: values, country: texts }),
  }),
});
const eventFields = { project_id: id, timestamp: instant };
export const analytics = object({
  metrics: z.array(
    z.array(
      object({
        source_project: id.nullable(),
        metric_kind: z.literal('project_downloads'),
        downloads: count.min(1),
      }),
    ),
  ),
  projects: z.record(id, project),
  users: object({}),
  project_events: z.array(
    z.union([
      object({
        ...{ ...eventFields, kind: z.literal('version_uploaded') },
        ...{ version_id: id, version_name: text, version_number: text },
      }),
      object({ ...eventFields, kind: z.literal('status_changed'), status_from: status, status_to: status }),
    ]),
  ),
});
export const analyticsEvent = object({
  ...{ id, title: text, announcement_url: url.nullable(), starts: instant, ends: instant.nullable() },
  for_metric_kind: z.array(z.enum(['views', 'downloads', 'playtime', 'revenue'])).min(1),
});
