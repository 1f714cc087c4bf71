/**
 * The catalogue of refusals: everything a caller can be told to do differently.
 * code -> [HTTP status, English text]. Texts may hold {placeholders} filled from `data`; other languages
 * translate them under `error.<code>` in content/locales. 404 is also the answer for hidden things, 401 for
 * missing rights: the public API never answers 403 (reference api-v2 §1.6).
 */
export const refusals = {
  // callers
  invalid_credentials: [401, 'That sign-in is not known: check the name and the password.'],
  authentication_required: [401, 'Sign in or send a valid token in the Authorization header.'],
  token_invalid: [401, 'Invalid Authentication Credentials: the token is unknown, expired or malformed.'],
  token_kind_unknown: [401, 'Unknown kind of token: it must start with mra_, mrp_ or mro_.'],
  scope_missing: [401, 'The token lacks the scope {scope}.'],
  permission_missing: [401, 'You do not have permission to do this ({permission}).'],
  not_a_member: [401, 'Only members of this project may do this.'],
  moderators_only: [401, 'Only moderators may do this.'],
  admins_only: [401, 'Only administrators may do this.'],
  not_yours: [401, 'This belongs to somebody else.'],
  cross_site: [401, 'This request came from another site. Send a token in the Authorization header instead.'],
  scope_restricted: [400, 'A token cannot carry restricted scopes.'],
  token_expiry_past: [400, 'The expiry date must lie in the future.'],
  username_taken: [400, 'That username is taken. Choose another one.'],
  email_taken: [400, 'An account with that e-mail address exists already.'],
  username_malformed: [
    400,
    'A username has 1 to 39 of the letters a-z, digits, dots, dashes and underscores, and is not one or two dots alone.',
  ],
  email_malformed: [400, 'That is no e-mail address.'],
  password_length: [400, 'A password has 8 to 256 characters.'],
  password_weak: [400, 'That password is too easy to guess. Make it longer or less common.'],
  passwords_differ: [400, 'Passwords do not match!'],
  limit_reached: [400, 'You have reached the limit of {limit}.'],
  // hosting (db/servers, db/nodes, control-plane)
  server_not_found: [404, 'That server does not exist.'],
  server_suspended: [400, 'This server is suspended. Its page says why and what to do.'],
  server_broken: [400, 'This server could not be made ready: {step}. Staff have been told.'],
  server_upgrading: [400, 'This server is being upgraded. Try again when that is done.'],
  server_not_ready: [400, 'This server is still being installed. Try again when that is done.'],
  server_not_running: [400, 'This server is not running. Start it first.'],
  server_unreachable: [
    503,
    'The machine of this server does not answer. What it does is not known; try again soon.',
  ],
  server_name_length: [400, 'A server has a name of 1 to 48 characters.'],
  server_kind_unknown: [400, 'Unknown kind of server {kind}. Use one of {allowed}.'],
  server_version_unknown: [
    400,
    'This kind of server does not offer the game version {game_version}. Use one of {allowed}.',
  ],
  server_loader_unknown: [400, 'This version of the game cannot run with {loader}. Use one of {allowed}.'],
  plan_unknown: [400, 'Unknown plan {plan}. Use one of {allowed}.'],
  plan_ram: [400, 'A custom server has from {least} to {most} GB of memory, in steps of {step}.'],
  region_unknown: [400, 'Unknown region {region}. Use one of {allowed}.'],
  out_of_stock: [
    400,
    'There is no room for this plan in {region} right now. Choose another region or a smaller plan.',
  ],
  // buying (db/billing)
  currency_unknown: [400, 'Servers are not sold in {currency}. Choose another currency.'],
  interval_unknown: [400, 'Unknown interval {interval}. Use one of {allowed}.'],
  trial_used: [400, 'You have tried a server before. The trial is once for each person.'],
  trial_network_limit: [400, 'Too many trials began in your network today. Try again tomorrow.'],
  card_required: [400, 'Say how you want to pay first.'],
  card_unknown: [400, 'Only the test cards that are shown work here. Never type a real one.'],
  card_expired: [400, 'This card has expired. Use another one.'],
  payment_declined: [400, 'The payment was declined ({reason}). Nothing was charged; try another card.'],
  payments_off: [400, 'Nothing can be ordered here: no payments are set up.'],
  subscription_pending: [400, 'The first payment is still on its way. Try again when it is through.'],
  subscription_cancelled: [400, 'This subscription is cancelled already.'],
  subscription_active: [400, 'This subscription is running. There is nothing to take up again.'],
  subscription_ended: [400, 'This subscription has ended and its server is gone. Order a new one.'],
  webhook_signature: [401, 'The signature of this webhook is not ours.'],
  webhook_stale: [401, 'This webhook was signed too long ago.'],
  terms_required: [400, 'Accept the licence terms of the game first.'],
  command_empty: [400, 'Type a command first.'],
  command_too_long: [400, 'A console command has at most 4096 bytes.'],
  command_control_characters: [400, 'A console command is one line without control characters.'],
  command_not_delivered: [400, 'The command did not reach the server. It was not sent again.'],
  too_fast: [429, 'That was too much at once. Wait a moment and try again.'],
  operation_expired: [400, 'This was asked too long ago to be done now. Ask again.'],
  operation_busy: [400, 'This server is busy: {by}. Try again when that is done.'],
  operation_mismatch: [400, 'This id was used for another operation already.'],
  node_unknown: [400, 'Unknown node {node}.'],
  node_name_taken: [400, 'A node of this name exists already.'],
  node_name_invalid: [400, 'A node has a name of 1 to 32 of the characters a-z, 0-9 and hyphen.'],
  node_full: [400, 'The machine of this server has no room for that.'],
  ticket_invalid: [404, 'This address was used already, or is too old. Ask for another one.'],
  node_not_empty: [400, 'This node carries {servers} game servers. Drain it and wait until they are gone.'],
  console_elsewhere: [503, 'Another control plane holds this console. Connect again in a moment.'],
  connections_too_many: [429, 'Too many connections are open. Close some and try again.'],
  join_token_invalid: [401, 'This join token is unknown, used or expired. Make another one.'],
  agent_secret_invalid: [401, 'The secret of this agent is not known.'],
  agent_protocol: [
    400,
    'This agent speaks another protocol. Use the same version of Cairn on node and control plane.',
  ],
  lease_stale: [400, 'Another agent speaks for this node now.'],
  notice_unknown: [404, 'That notice does not exist.'],
  notice_not_dismissable: [400, 'This notice stays until it expires.'],
  notice_dates: [400, 'A notice ends after it begins.'],
  // projects, versions, files
  project_slug_taken: [400, 'That address is already used by another project. Choose another slug.'],
  organization_slug_taken: [
    400,
    'That address is already used by another organization. Choose another slug.',
  ],
  slug_invalid: [400, 'Slugs have 3 to 64 of the characters a-z, 0-9, dot, underscore and hyphen.'],
  email_unverified: [401, 'Verify your e-mail address before you create anything.'],
  move_refused: [401, 'You cannot change the status of this project from {from} to {to}.'],
  unavailable_for_legal_reasons: [451, 'The law or an order keeps this from being shown.'],
  already_held: [400, 'This project is held back for legal reasons already.'],
  not_held: [400, 'No law holds this project back.'],
  version_required: [
    400,
    'A project needs at least one listed or archived version before it can be reviewed.',
  ],
  requested_status_invalid: [400, 'The requested status must be one of {allowed}.'],
  category_unknown: [400, 'Unknown category {category}.'],
  donation_platform_unknown: [400, 'Unknown donation platform {platform}. Use one of {allowed}.'],
  link_platform_unknown: [400, 'Unknown link platform {platform}.'],
  already_following: [400, 'You follow this project already.'],
  not_following: [400, 'You do not follow this project.'],
  project_unknown: [400, 'That project does not exist.'],
  organization_unknown: [400, 'That organization does not exist.'],
  gallery_picture_repeated: [400, 'The same picture is in the gallery already.'],
  gallery_featured_twice: [400, 'Only one image of the gallery can be featured.'],
  part_missing: [400, 'The part {part} is declared in data but was not sent.'],
  part_undeclared: [400, 'The part {part} was sent but is not declared in data.'],
  part_repeated: [400, 'The part name {part} is used twice.'],
  invalid_image: [400, 'The image cannot be used: {problem}'],
  file_repeated: [400, 'The same file is in this upload twice.'],
  file_name_repeated: [400, 'Two files of this version have the same name.'],
  file_duplicate: [
    400,
    'The file {filename} already belongs to a version of another project (duplicate). Depend on that version instead.',
  ],
  file_unknown: [400, 'This version has no file with the hash {hash}.'],
  last_file: [400, 'A version keeps at least one file. Delete the version instead.'],
  no_files: [400, 'The upload holds no files: add at least one after the part data.'],
  version_unknown: [400, 'That version does not exist.'],
  loader_unknown: [400, 'Unknown loader {loader}. Use the names of /v2/tag/loader.'],
  game_version_unknown: [400, 'Unknown game version {game_version}. Use the names of /v2/tag/game_version.'],
  dependency_unknown: [400, 'The dependency {id} names no project or version that exists.'],
  dependency_empty: [400, 'A dependency must name a version, a project or a file.'],
  dependency_repeated: [400, 'The same dependency is listed twice.'],
  // files (db/files, site/api/upload/upload.ts)
  file_name_invalid: [
    400,
    'The file name {filename} cannot be used. Rename it to one plain name: no slashes or backslashes, no control characters, at most 255 bytes, none that Windows reserves (CON, NUL, COM1 ...).',
  ],
  file_type_unsupported: [400, 'Invalid file type: {filename} must end with one of {extensions}.'],
  file_too_large: [400, 'Project file exceeds the maximum of {limit}: {filename}.'],
  icon_too_large: [400, 'Icons must be smaller than {limit}.'],
  gallery_image_too_large: [400, 'Gallery image exceeds the maximum of {limit}.'],
  upload_incomplete: [400, 'The upload ended before it was complete. Send it again.'],
  upload_too_slow: [
    400,
    'The upload came slower than {bytes_per_second} bytes a second. Send it again over a faster connection.',
  ],
  signature_type_invalid: [400, '{filename} is called a signature but does not end with asc, gpg or sig.'],
  primary_file_unknown: [400, 'primary_file names {part}, which is not one of the uploaded parts.'],
  primary_file_missing: [400, 'A version needs at least one file.'],
  archive_unreadable: [
    400,
    '{filename} cannot be opened as a zip archive. It is damaged, protected or not a zip at all: pack it again with an ordinary tool.',
  ],
  archive_encrypted: [
    400,
    '{filename} holds an encrypted entry ({entry}). Pack it again without a password.',
  ],
  versions_full: [400, 'A project holds at most {limit} versions. Delete some first.'],
  versions_too_many_today: [429, 'A project gets at most {limit} new versions in 24 hours. Try again later.'],
  archive_too_many_entries: [400, '{filename} holds more than {limit} entries. Pack fewer files.'],
  archive_names_too_long: [
    400,
    'The names of the entries of {filename} take more than {limit} together. Pack fewer files, or shorten their names.',
  ],
  archive_expands_too_much: [
    400,
    '{filename} grows to more than {limit} when unpacked ({entry}). Leave out what players do not need.',
  ],
  archive_entry_name_invalid: [
    400,
    '{filename} holds an entry with an unusable name ({entry}): no absolute paths, "..", backslashes or NUL, at most {max_length} bytes and {max_depth} folders deep.',
  ],
  archive_entry_repeated: [400, '{filename} holds the entry {entry} twice. Pack it again.'],
  archive_entry_size_wrong: [
    400,
    'The entry {entry} of {filename} is not as large as the archive says, or is damaged. Pack it again.',
  ],
  archive_entries_overlap: [
    400,
    'The entries of {filename} overlap ({entry}). Pack it again with an ordinary tool.',
  ],
  archive_method_unsupported: [
    400,
    'The entry {entry} of {filename} is packed by a method that is not supported. Use deflate or store.',
  ],
  loader_extension_wrong: [
    400,
    '{filename}: files for {loader} must end with {extensions}. Signatures need the file type signature.',
  ],
  loader_entry_missing: [
    400,
    '{filename} is no valid file for {loader}: it must hold {needed}. Add it, or choose the loaders the file is made for.',
  ],
  modpack_not_mrpack: [
    400,
    '{filename} looks like a modpack ({entry}). Modpacks must be uploaded as .mrpack files.',
  ],
  mrpack_index_missing: [
    400,
    '{filename} does not hold modrinth.index.json at its root. Export the modpack again as .mrpack.',
  ],
  mrpack_index_malformed: [
    400,
    'modrinth.index.json in {filename} is not valid JSON with the fields of a modpack: {field} must be {expected}.',
  ],
  mrpack_game_unknown: [400, 'modrinth.index.json in {filename}: game must be minecraft.'],
  mrpack_empty: [400, '{filename} lists no files and holds no overrides folder. Add files or overrides.'],
  mrpack_path_unsafe: [
    400,
    'modrinth.index.json in {filename} names the path {path}. Paths must be relative, with forward slashes, without "..", drive or reserved names.',
  ],
  mrpack_hash_missing: [
    400,
    'modrinth.index.json in {filename}: {path} needs both a sha1 and a sha512 hash.',
  ],
  mrpack_download_invalid: [
    400,
    'modrinth.index.json in {filename}: {path} has the download {url}, which is not a web address in its canonical form.',
  ],
  mrpack_download_host: [
    400,
    'modrinth.index.json in {filename}: {path} is downloaded from {host}. Allowed are {hosts}; put other files into overrides.',
  ],
  mrpack_dependency_unknown: [
    400,
    'modrinth.index.json in {filename}: {key} is not a known dependency. Allowed are {allowed}.',
  ],
  license_unknown: [
    400,
    'The licence "{license}" is no SPDX expression. Choose one of the list or write LicenseRef-Your-Name.',
  ],
  body_too_complex: [
    400,
    'This text holds more markup than can be shown. Make it simpler: fewer table cells, emphasis and links.',
  ],
  // shapes
  invalid_input: [400, '{problem}'],
  not_found: [404, 'The requested item does not exist.'],
  route_not_found: [404, 'the requested route does not exist'],
  // pages: nothing lies at such an address; there could be something, but not by that name
  page_unknown: [404, 'Page not found: {path}'],
  page_refused: [404, 'Page Not Found: {path}'],
  body_too_large: [413, 'The body is larger than {limit_bytes} bytes.'],
  rate_limited: [429, 'You are being rate-limited. Please wait {retry_after_ms} ms.'],
  database_away: [503, 'The database does not answer at the moment. Try again in a few seconds.'],
  busy: [503, 'Too many requests are waiting. Try again in a second.'],
  upload_quota_reached: [
    429,
    'An account can upload {limit} a day, and this one has. Go on tomorrow, or ask a moderator for more.',
  ],
  storage_foreign: [
    409,
    'The stored files belong to another database than this one. Check DATABASE_URL and DATA_DIR; nothing was removed.',
  ],
  garbage_too_much: [
    409,
    '{objects} of {seen} stored files belong to nothing, which is too much to be true. Nothing was removed. When the database is the right one, run: cairn storage sweep --force',
  ],
  storage_full: [507, 'There is no room left for this file. Tell the operator of this site.'],
} as const satisfies Record<string, readonly [number, string]>;

export type RefusalCode = keyof typeof refusals;

const fill = (text: string, data: Record<string, unknown>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in data ? String(data[name]) : whole));

/** A caller's mistake that somebody can act on. Thrown in `db/`, translated only by the four doorways. */
export class Refused extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  readonly data: Record<string, unknown>;

  constructor(code: RefusalCode, data: Record<string, unknown> = {}) {
    super(fill(refusals[code][1], data));
    this.name = 'Refused';
    this.code = code;
    this.status = refusals[code][0];
    this.data = data;
  }
}

/** Throws `Refused(code)` when a rule answered with a code; returns when it answered null. */
export function assertAllowed(code: RefusalCode | null, data: Record<string, unknown> = {}): void {
  if (code) throw new Refused(code, data);
}
