/**
 * The catalogue of refusals: every error that a caller can act on. code -> [HTTP status, en-US text]. Texts may
 * contain {placeholders}, filled from `data`; other languages translate them under `error.<code>` in content/locales.
 * Hidden things also answer 404; missing permissions answer 401, because the public API never answers 403 (reference
 * api-v2 §1.6).
 */
export const refusals = {
  // callers
  invalid_credentials: [401, 'Wrong username or password. Check both and try again.'],
  authentication_required: [401, 'Sign in or send a valid token in the Authorization header.'],
  token_invalid: [401, 'Invalid Authentication Credentials: the token is unknown, expired or malformed.'],
  token_kind_unknown: [401, 'Unknown kind of token: it must start with mra_, mrp_ or mro_.'],
  scope_missing: [401, 'The token lacks the scope {scope}.'],
  permission_missing: [401, 'You do not have permission to do this ({permission}).'],
  not_a_member: [401, 'Only members of this project may do this.'],
  moderators_only: [401, 'Only moderators may do this.'],
  admins_only: [401, 'Only administrators may do this.'],
  not_yours: [401, 'This belongs to another user.'],
  cross_site: [401, 'This request came from another site. Send a token in the Authorization header instead.'],
  scope_restricted: [400, 'A token cannot carry restricted scopes.'],
  token_expiry_past: [400, 'The expiry date must lie in the future.'],
  username_taken: [400, 'That username is taken. Choose another one.'],
  email_taken: [400, 'An account with that e-mail address already exists.'],
  username_malformed: [
    400,
    'A username must have 1 to 39 characters: letters a-z, digits, dots, dashes and underscores. It cannot be just one or two dots.',
  ],
  email_malformed: [400, 'That is not an e-mail address.'],
  password_length: [400, 'A password must have 8 to 256 characters.'],
  password_weak: [400, 'That password is too easy to guess. Make it longer or less common.'],
  passwords_differ: [400, 'Passwords do not match!'],
  limit_reached: [400, 'You have reached the limit of {limit}.'],
  // hosting (db/servers, db/nodes, control-plane)
  server_not_found: [404, 'That server does not exist.'],
  server_suspended: [400, 'This server is suspended. Its page says why and what to do.'],
  server_broken: [400, 'This server could not be set up: {step}. Staff have been notified.'],
  server_upgrading: [400, 'This server is being upgraded. Try again when that is done.'],
  server_not_ready: [400, 'This server is still being installed. Try again when that is done.'],
  server_not_running: [400, 'This server is not running. Start it first.'],
  server_unreachable: [
    503,
    'The machine that runs this server does not answer, so its state is unknown. Try again soon.',
  ],
  server_name_length: [400, 'A server name must have 1 to 48 characters.'],
  server_kind_unknown: [400, 'Unknown server kind {kind}. Use one of {allowed}.'],
  server_version_unknown: [
    400,
    'This kind of server does not offer the game version {game_version}. Use one of {allowed}.',
  ],
  server_loader_unknown: [400, 'This version of the game cannot run with {loader}. Use one of {allowed}.'],
  plan_unknown: [400, 'Unknown plan {plan}. Use one of {allowed}.'],
  plan_ram: [400, 'A custom server must have {least} to {most} GB of memory, in steps of {step}.'],
  region_unknown: [400, 'Unknown region {region}. Use one of {allowed}.'],
  out_of_stock: [
    400,
    'This plan is sold out in {region} right now. Choose another region or a smaller plan.',
  ],
  // billing (db/billing)
  currency_unknown: [400, 'Servers are not sold in {currency}. Choose another currency.'],
  interval_unknown: [400, 'Unknown interval {interval}. Use one of {allowed}.'],
  trial_used: [400, 'You have already used your trial. Each person gets one.'],
  trial_network_limit: [400, 'Too many trials were started from your network today. Try again tomorrow.'],
  card_required: [400, 'Choose a payment method first.'],
  card_unknown: [400, 'Only the listed test cards work here. Never enter a real card.'],
  card_expired: [400, 'This card has expired. Use another one.'],
  payment_declined: [400, 'The payment was declined ({reason}). Nothing was charged; try another card.'],
  payments_off: [400, 'Orders are not possible here: no payment processor is set up.'],
  subscription_pending: [400, 'The first payment is still being processed. Try again when it is complete.'],
  subscription_cancelled: [400, 'This subscription is already cancelled.'],
  subscription_active: [400, 'This subscription is active. There is nothing to resume.'],
  subscription_ended: [400, 'This subscription has ended and its server was deleted. Order a new one.'],
  webhook_signature: [401, 'The signature of this webhook is invalid.'],
  webhook_stale: [401, 'This webhook was signed too long ago.'],
  terms_required: [400, 'Accept the licence terms of the game first.'],
  command_empty: [400, 'Type a command first.'],
  command_too_long: [400, 'A console command can have at most 4096 bytes.'],
  command_control_characters: [400, 'A console command must be one line without control characters.'],
  command_not_delivered: [400, 'The command did not reach the server. It was not sent again.'],
  too_fast: [429, 'Too many requests at once. Wait a moment and try again.'],
  operation_expired: [400, 'This request is too old to be carried out. Try again.'],
  operation_busy: [400, 'This server is busy: {by}. Try again when that is done.'],
  operation_failed: [400, 'The server could not do that. Try again.'],
  operation_mismatch: [400, 'This id was already used for another operation.'],
  node_unknown: [400, 'Unknown node {node}.'],
  node_name_taken: [400, 'A node with this name already exists.'],
  node_name_invalid: [400, 'A node name must have 1 to 32 of the characters a-z, 0-9 and hyphen.'],
  node_full: [400, 'The machine that runs this server does not have enough free capacity.'],
  ticket_invalid: [404, 'This link was already used or has expired. Request a new one.'],
  node_not_empty: [400, 'This node runs {servers} game servers. Drain it and wait until it is empty.'],
  console_elsewhere: [503, 'Another control plane serves this console. Reconnect in a moment.'],
  connections_too_many: [429, 'Too many connections are open. Close some and try again.'],
  join_token_invalid: [401, 'This join token is unknown, used or expired. Create a new one.'],
  agent_secret_invalid: [401, 'The secret of this agent is not valid.'],
  agent_protocol: [
    400,
    'This agent uses another protocol version. Use the same version of Cairn on node and control plane.',
  ],
  lease_stale: [400, 'Another agent has taken over this node.'],
  notice_unknown: [404, 'That notice does not exist.'],
  notice_not_dismissable: [400, 'This notice stays until it expires.'],
  notice_dates: [400, 'A notice must end after it begins.'],
  // projects, versions, files
  project_slug_taken: [400, 'That address is already used by another project. Choose another slug.'],
  organization_slug_taken: [
    400,
    'That address is already used by another organization. Choose another slug.',
  ],
  slug_invalid: [400, 'A slug must have 3 to 64 of the characters a-z, 0-9, dot, underscore and hyphen.'],
  email_unverified: [401, 'Verify your e-mail address before you create anything.'],
  move_refused: [401, 'You cannot change the status of this project from {from} to {to}.'],
  unavailable_for_legal_reasons: [451, 'This is unavailable for legal reasons.'],
  already_held: [400, 'This project is already withheld for legal reasons.'],
  not_held: [400, 'This project is not withheld for legal reasons.'],
  version_required: [
    400,
    'A project needs at least one listed or archived version before it can be reviewed.',
  ],
  requested_status_invalid: [400, 'The requested status must be one of {allowed}.'],
  category_unknown: [400, 'Unknown category {category}.'],
  donation_platform_unknown: [400, 'Unknown donation platform {platform}. Use one of {allowed}.'],
  link_platform_unknown: [400, 'Unknown link platform {platform}.'],
  already_following: [400, 'You already follow this project.'],
  not_following: [400, 'You do not follow this project.'],
  project_unknown: [400, 'That project does not exist.'],
  organization_unknown: [400, 'That organization does not exist.'],
  gallery_picture_repeated: [400, 'This picture is already in the gallery.'],
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
  last_file: [400, 'A version must have at least one file. Delete the version instead.'],
  no_files: [400, 'The upload contains no files: add at least one after the part data.'],
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
    'The upload was slower than {bytes_per_second} bytes per second. Send it again over a faster connection.',
  ],
  signature_type_invalid: [
    400,
    '{filename} is declared as a signature but does not end with asc, gpg or sig.',
  ],
  primary_file_unknown: [400, 'primary_file names {part}, which is not one of the uploaded parts.'],
  primary_file_missing: [400, 'A version needs at least one file.'],
  archive_unreadable: [
    400,
    '{filename} cannot be opened as a zip archive. It is damaged, protected or not a zip at all: pack it again with an ordinary tool.',
  ],
  archive_encrypted: [
    400,
    '{filename} contains an encrypted entry ({entry}). Pack it again without a password.',
  ],
  versions_full: [400, 'A project can have at most {limit} versions. Delete some first.'],
  versions_too_many_today: [
    429,
    'A project can have at most {limit} new versions in 24 hours. Try again later.',
  ],
  archive_too_many_entries: [400, '{filename} contains more than {limit} entries. Pack fewer files.'],
  archive_names_too_long: [
    400,
    'The names of the entries of {filename} take more than {limit} together. Pack fewer files, or shorten their names.',
  ],
  archive_expands_too_much: [
    400,
    '{filename} expands to more than {limit} when unpacked ({entry}). Leave out what players do not need.',
  ],
  archive_entry_name_invalid: [
    400,
    '{filename} contains an entry with an unusable name ({entry}): no absolute paths, "..", backslashes or NUL, at most {max_length} bytes and {max_depth} folders deep.',
  ],
  archive_entry_repeated: [400, '{filename} contains the entry {entry} twice. Pack it again.'],
  archive_entry_size_wrong: [
    400,
    'The entry {entry} of {filename} does not have the size that the archive declares, or is damaged. Pack it again.',
  ],
  archive_entries_overlap: [
    400,
    'The entries of {filename} overlap ({entry}). Pack it again with an ordinary tool.',
  ],
  archive_method_unsupported: [
    400,
    'The entry {entry} of {filename} is compressed with an unsupported method. Use deflate or store.',
  ],
  loader_extension_wrong: [
    400,
    '{filename}: files for {loader} must end with {extensions}. Signatures need the file type signature.',
  ],
  loader_entry_missing: [
    400,
    '{filename} is not a valid file for {loader}: it must contain {needed}. Add it, or choose the loaders the file is made for.',
  ],
  modpack_not_mrpack: [
    400,
    '{filename} looks like a modpack ({entry}). Modpacks must be uploaded as .mrpack files.',
  ],
  mrpack_index_missing: [
    400,
    '{filename} does not contain modrinth.index.json at its root. Export the modpack again as .mrpack.',
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
    'The licence "{license}" is not an SPDX expression. Choose one from the list or write LicenseRef-Your-Name.',
  ],
  body_too_complex: [
    400,
    'This text has too much markup to display. Simplify it: fewer table cells, emphasis and links.',
  ],
  // validation
  invalid_input: [400, '{problem}'],
  not_found: [404, 'The requested item does not exist.'],
  route_not_found: [404, 'the requested route does not exist'],
  // pages: unknown paths, and paths that match a route but name nothing
  page_unknown: [404, 'Page not found: {path}'],
  page_refused: [404, 'Page Not Found: {path}'],
  body_too_large: [413, 'The body is larger than {limit_bytes} bytes.'],
  rate_limited: [429, 'You are being rate-limited. Please wait {retry_after_ms} ms.'],
  database_away: [503, 'The database does not answer at the moment. Try again in a few seconds.'],
  busy: [503, 'Too many requests are waiting. Try again in a second.'],
  upload_quota_reached: [
    429,
    'An account can upload {limit} a day, and you have reached that limit. Continue tomorrow, or ask a moderator for more.',
  ],
  storage_foreign: [
    409,
    'The stored files belong to a different database. Check DATABASE_URL and DATA_DIR; nothing was removed.',
  ],
  garbage_too_much: [
    409,
    '{objects} of {seen} stored files have no database row. That is suspiciously many, so nothing was removed. If the database is the right one, run: cairn storage sweep --force',
  ],
  storage_full: [507, 'There is no storage space left for this file. Contact the operator of this site.'],
} as const satisfies Record<string, readonly [number, string]>;

export type RefusalCode = keyof typeof refusals;

const fill = (text: string, data: Record<string, unknown>) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => (name in data ? String(data[name]) : whole));

/**
 * An error that the caller can act on. Thrown in `db/`; only the entry points (HTTP, pages, sockets, jobs) translate
 * it.
 */
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

/** Throws `Refused(code)` if `code` is not null: use it with the result of a rule. */
export function assertAllowed(code: RefusalCode | null, data: Record<string, unknown> = {}): void {
  if (code) throw new Refused(code, data);
}
