/**
 * The catalogue of refusals: every error that a caller can act on. code -> [HTTP status, en-US text]. Texts may
 * contain {placeholders}, filled from `data`; other languages translate them under `error.<code>` in content/locales.
 * Hidden things also answer 404; missing permissions answer 401, because the public API never answers 403 (reference
 * api-v2 §1.6).
 */
export const refusals = {
  // callers
  invalid_credentials: [401, 'Wrong username or password.'],
  authentication_required: [401, 'Sign in or send a valid token in the Authorization header.'],
  token_invalid: [401, 'Invalid Authentication Credentials: the token is unknown, expired or malformed.'],
  proof_required: [401, 'Confirm that it’s you first: enter your password, a passkey or a code again.'],
  reset_link_invalid: [401, 'This link has expired or was already used. Get a new one.'],
  flow_invalid: [400, 'This link or step has expired or was already used. Start again.'],
  provider_unknown: [400, 'This site offers no sign-in with {provider}.'],
  provider_away: [503, 'We can’t reach {provider} right now. Try again in a moment, or sign in another way.'],
  provider_failed: [502, 'The answer of {provider} made no sense, so nothing happened. Try again.'],
  provider_declined: [400, 'You didn’t allow {provider} to sign you in. Try again, or sign in another way.'],
  provider_email_known: [
    400,
    'There already is an account with the email address you use at {provider}. Sign in to it and add {provider} in your account settings.',
  ],
  provider_linked_elsewhere: [400, 'Somebody already signs in with this account.'],
  provider_already_linked: [400, 'You already sign in with an account of this service. Remove it first.'],
  provider_not_linked: [404, 'You don’t sign in with an account of this service.'],
  last_sign_in_method: [
    400,
    'This is the only way you can sign in. Set a password or add another way first.',
  ],
  sign_in_other_browser: [400, 'This sign-in began in another browser or window. Start again.'],
  return_url_foreign: [400, 'After signing in we can’t lead to this address.'],
  launcher_address: [
    404,
    'This sign-in for a launcher names no port on this computer. Start again in the launcher.',
  ],
  token_kind_unknown: [401, 'Unknown token type: it must start with mra_, mrp_ or mro_.'],
  scope_missing: [401, 'The token is missing the scope {scope}.'],
  permission_missing: [401, 'You don’t have permission to do this ({permission}).'],
  not_a_member: [401, 'Only members of this project can do this.'],
  moderators_only: [401, 'Only moderators can do this.'],
  admins_only: [401, 'Only administrators can do this.'],
  not_yours: [401, 'This belongs to another user.'],
  cross_site: [401, 'This request came from another site. Send a token in the Authorization header instead.'],
  scope_restricted: [400, 'Tokens can’t have restricted scopes.'],
  token_expiry_past: [400, 'The expiration date must be in the future.'],
  too_many_tokens: [400, 'You can have at most {max} tokens. Delete one you no longer need.'],
  username_taken: [400, 'That username is taken. Choose another one.'],
  email_taken: [400, 'An account with that email address already exists.'],
  username_malformed: [
    400,
    'Use up to 39 letters (a-z), numbers, dots, dashes or underscores, and not just one or two dots.',
  ],
  email_same: [400, 'This already is the address of your account.'],
  no_email: [400, 'No email address is saved on this account.'],
  email_verified_before: [400, 'This address is already verified.'],
  mail_off: [400, 'This site can’t send mail.'],
  email_malformed: [400, 'That isn’t a valid email address.'],
  password_length: [400, 'Passwords must be 8 to 256 characters long.'],
  password_weak: [400, 'That password is too easy to guess. Make it longer or less common.'],
  password_breached: [
    400,
    'This password is in lists of leaked passwords, which attackers try first. Choose another one.',
  ],
  two_factor_on: [400, 'Two-factor authentication is already on.'],
  two_factor_off: [400, 'Two-factor authentication isn’t on.'],
  code_wrong: [401, 'That code is wrong or was already used. Enter the current one.'],
  proof_other: [400, 'Sign in again with a passkey or the service you use.'],
  passkeys_unavailable: [400, 'Passkeys don’t work here: they need a site with a host name.'],
  passkey_invalid: [400, 'That passkey couldn’t be saved. Try again.'],
  passkey_known: [400, 'That passkey already belongs to an account.'],
  passkey_refused: [401, 'That passkey isn’t known here. Use another one or your password.'],
  passkey_unknown: [404, 'You have no such passkey.'],
  no_passkey: [400, 'Add a passkey first.'],
  too_many_passkeys: [400, 'You can have at most {max} passkeys. Remove one you no longer need.'],
  no_password: [400, 'This account has no password.'],
  username_confusable: [400, 'That username looks too much like someone else’s. Choose another one.'],
  old_password_wrong: [400, 'That isn’t your current password.'],
  captcha_failed: [400, 'Prove that you’re human first, then try again.'],
  captcha_away: [503, 'We couldn’t check whether you’re human. Try again soon.'],
  confirm_failed: [400, 'That wasn’t right. Try again.'],
  ghost_user: [400, 'This account stands for deleted users and can’t be changed.'],
  user_has_servers: [
    400,
    'This account still has game servers, orders or subscriptions ({items}). Cancel them and try again when they have ended.',
  ],
  username_mismatch: [400, 'That isn’t your username. Type it exactly as shown.'],
  export_running: [400, 'An export of your data is already running. Wait until it’s done.'],
  exports_too_many: [429, 'You can export your data {limit} times a day. Try again tomorrow.'],
  friend_self: [400, 'You can’t be friends with yourself.'],
  friend_blocked: [400, 'You can’t send this user a friend request.'],
  friend_requests_off: [400, 'This user doesn’t accept friend requests.'],
  friend_requested: [400, 'You’ve already sent this user a friend request.'],
  already_friends: [400, 'You’re already friends.'],
  block_self: [400, 'You can’t block yourself.'],
  note_changed: [412, 'These notes were changed meanwhile. Read version {version} and try again.'],
  note_version_missing: [428, 'Send the version of the notes you read in the header If-Match.'],
  url_foreign: [400, 'This URL isn’t a page of this site.'],
  passwords_differ: [400, 'Passwords do not match!'],
  // apps of other people (db/oauth); answered as OAuth errors, by the part of the code after oauth_
  redirect_uri_invalid: [
    400,
    '{uri} can’t be a redirect URL. Use https://, http:// on your own device, or your app’s own scheme with a dot in it, without # or a username.',
  ],
  too_many_applications: [400, 'You can have at most {max} applications. Delete one you no longer need.'],
  oauth_invalid_uri: [400, 'The redirect URL isn’t registered for this application.'],
  oauth_invalid_client: [400, 'There’s no application with this client ID.'],
  oauth_wrong_secret: [401, 'The client secret is wrong.'],
  oauth_invalid_request: [400, 'The request of this application is malformed: {problem}.'],
  oauth_invalid_scope: [
    400,
    'The application asks for permissions that don’t exist or that it may not have.',
  ],
  oauth_invalid_grant: [400, 'The code is wrong, expired or was already used.'],
  oauth_unauthorized_client: [400, 'The code was issued to another application.'],
  oauth_unsupported_response_type: [400, 'The only supported response type is code.'],
  oauth_access_denied: [400, 'The user declined the request.'],
  oauth_server_error: [
    400,
    'This request has expired or was already answered. Go back to the application and start again.',
  ],
  limit_reached: [400, 'You’ve reached the limit of {limit}.'],
  // hosting (db/servers, db/nodes, control-plane)
  server_not_found: [404, 'That server doesn’t exist.'],
  server_suspended: [400, 'This server is suspended. Its page says why and what to do.'],
  server_broken: [400, 'This server couldn’t be set up: {step}. Staff have been notified.'],
  server_upgrading: [400, 'This server is being upgraded. Try again when it’s done.'],
  server_not_ready: [400, 'This server is still being installed. Try again when it’s done.'],
  server_not_running: [400, 'This server isn’t running. Start it first.'],
  server_unreachable: [
    503,
    'We can’t reach the machine this server runs on, so its state is unknown. Try again soon.',
  ],
  server_name_length: [400, 'Server names must be 1 to 48 characters long.'],
  server_kind_unknown: [400, 'Unknown kind of server: {kind}. Use one of {allowed}.'],
  server_version_unknown: [
    400,
    'Game version {game_version} isn’t available for this kind of server. Use one of {allowed}.',
  ],
  server_loader_unknown: [400, '{loader} isn’t available for this game version. Use one of {allowed}.'],
  plan_unknown: [400, 'Unknown plan {plan}. Use one of {allowed}.'],
  plan_ram: [400, 'Custom servers can have {least} to {most} GB of memory, in steps of {step}.'],
  region_unknown: [400, 'Unknown region {region}. Use one of {allowed}.'],
  out_of_stock: [400, 'This plan is out of stock in {region}. Choose another region or a smaller plan.'],
  // billing (db/billing)
  currency_unknown: [400, 'Servers aren’t sold in {currency}. Choose another currency.'],
  interval_unknown: [400, 'Unknown billing period {interval}. Use one of {allowed}.'],
  trial_used: [400, 'You’ve already used your free trial.'],
  trial_network_limit: [400, 'Too many trials were started from your network today. Try again tomorrow.'],
  card_required: [400, 'Choose a payment method first.'],
  card_unknown: [400, 'Only the listed test cards work here. Never enter a real card.'],
  card_expired: [400, 'This card has expired. Use another one.'],
  payment_declined: [400, 'The payment was declined ({reason}). Nothing was charged; try another card.'],
  payments_off: [400, 'You can’t order servers here: payments aren’t set up.'],
  subscription_pending: [400, 'A payment is still being processed. Try again when it’s done.'],
  subscription_cancelled: [400, 'This subscription is already canceled.'],
  subscription_active: [400, 'This subscription is active, so there’s nothing to renew.'],
  subscription_ended: [400, 'This subscription has ended and its server was deleted. Order a new one.'],
  webhook_signature: [401, 'The signature of this webhook is invalid.'],
  webhook_stale: [401, 'This webhook was signed too long ago.'],
  terms_required: [400, 'Accept the game’s EULA first.'],
  command_empty: [400, 'Type a command first.'],
  command_too_long: [400, 'Console commands can be at most 4096 bytes long.'],
  command_control_characters: [400, 'Console commands must be a single line without control characters.'],
  command_not_delivered: [400, 'The command didn’t reach the server and wasn’t sent again.'],
  too_fast: [429, 'You’re going too fast. Wait a moment and try again.'],
  operation_expired: [400, 'That request has expired. Try again.'],
  operation_busy: [400, 'This server is busy: {by}. Try again when it’s done.'],
  operation_failed: [400, 'The server couldn’t do that. Try again.'],
  operation_mismatch: [400, 'This ID was already used for another operation.'],
  node_unknown: [400, 'Unknown node {node}.'],
  node_name_taken: [400, 'A node with this name already exists.'],
  node_name_invalid: [400, 'Node names must be 1 to 32 characters long: a-z, 0-9 and dashes.'],
  node_full: [400, 'The machine this server runs on doesn’t have enough free capacity.'],
  ticket_invalid: [404, 'This link has expired or was already used. Request a new one.'],
  node_not_empty: [400, 'Game servers still on this node: {servers}. Drain it and wait until it’s empty.'],
  console_elsewhere: [503, 'Another control plane serves this console. Reconnect in a moment.'],
  connections_too_many: [429, 'Too many connections are open. Close some and try again.'],
  join_token_invalid: [401, 'This join token is unknown, used or expired. Create a new one.'],
  agent_secret_invalid: [401, 'This agent’s secret isn’t valid.'],
  agent_protocol: [
    400,
    'This agent uses another protocol version. Use the same version of Cairn on the node and the control plane.',
  ],
  lease_stale: [400, 'Another agent has taken over this node.'],
  notice_unknown: [404, 'That notice doesn’t exist.'],
  notice_not_dismissable: [400, 'This notice can’t be dismissed.'],
  notice_dates: [400, 'The end must be after the start.'],
  // projects, versions, files
  project_slug_taken: [400, 'That slug is already used by another project. Choose another one.'],
  organization_slug_taken: [400, 'That slug is already used by another organization. Choose another one.'],
  slug_invalid: [400, 'Slugs must be 3 to 64 characters long: a-z, 0-9, dots, underscores and dashes.'],
  email_unverified: [401, 'Verify your email address before you create anything.'],
  checklist_version: [400, 'Upload a version first.'],
  checklist_description: [400, 'Write a description first.'],
  checklist_gallery: [400, 'Add a picture to the gallery first: players want to see what it looks like.'],
  checklist_environment: [400, 'Say first whether it runs on clients, servers or both.'],
  checklist_license: [400, 'Choose a license first.'],
  checklist_license_url: [400, 'Give the full address of the license text, on a site that publishes texts.'],
  checklist_summary_name: [400, 'The summary repeats the name. Say in one sentence what it does.'],
  checklist_chat_link: [400, 'A chat invitation stands in another link. Move it to the chat link.'],
  checklist_short_link: [400, 'Replace shortened links by the addresses they lead to.'],
  checklist_source: [
    400,
    'This license asks for the source code: add a source link, or a file with the source to each version.',
  ],
  move_refused: [401, 'You can’t change the status of this project from {from} to {to}.'],
  unavailable_for_legal_reasons: [451, 'This is unavailable for legal reasons.'],
  already_held: [400, 'This project is already under a legal hold.'],
  not_held: [400, 'This project isn’t under a legal hold.'],
  version_required: [
    400,
    'A project needs at least one listed or archived version before it can be reviewed.',
  ],
  disclosure_locked: [401, 'A moderator locked the disclosure {type}.'],
  schedule_past: [400, 'The time of a release must be in the future.'],
  schedule_unapproved: [
    400,
    'Only a project that has been approved can be scheduled. Submit it for review with the requested status private first.',
  ],
  requested_status_invalid: [400, 'The requested status must be one of {allowed}.'],
  category_unknown: [400, 'Unknown category {category}.'],
  donation_platform_unknown: [400, 'Unknown donation platform {platform}. Use one of {allowed}.'],
  link_platform_unknown: [400, 'Unknown link platform {platform}.'],
  already_following: [400, 'You’re already following this project.'],
  not_following: [400, 'You aren’t following this project.'],
  project_unknown: [400, 'That project doesn’t exist.'],
  organization_unknown: [400, 'That organization doesn’t exist.'],
  // teams and organizations
  user_unknown: [400, 'That user doesn’t exist.'],
  already_in_team: [400, 'This user is already a member of the team.'],
  already_invited: [400, 'This user is already invited to the team.'],
  not_invited: [400, 'You have no pending invitation to this team.'],
  permissions_exceeded: [400, 'You can’t give permissions that you don’t have yourself.'],
  organization_permissions_refused: [400, 'Members of a project can’t have organization permissions.'],
  organization_owner_permissions: [
    400,
    'The owner of the organization must have all permissions in its projects.',
  ],
  organization_owner_kept: [401, 'You can’t reduce the permissions of the organization’s owner.'],
  owner_permissions_fixed: [400, 'The permissions of an owner can’t be changed.'],
  owner_not_removable: [401, 'Owners can’t be removed from their team. Transfer the ownership first.'],
  owner_only: [401, 'Only the owner can do this.'],
  owned_by_organization: [
    400,
    'An organization owns this project. Transfer the organization, or remove the project from it first.',
  ],
  new_owner_not_member: [400, 'The new owner must be a member who accepted the invitation.'],
  both_teams_required: [400, 'You must be a member of both the project and the organization.'],
  already_in_organization: [400, 'This project already belongs to an organization.'],
  not_in_organization: [400, 'This project doesn’t belong to this organization.'],
  gallery_picture_repeated: [400, 'This image is already in the gallery.'],
  gallery_featured_twice: [400, 'Only one gallery image can be featured.'],
  gallery_full: [401, 'The gallery can have at most {limit} images. Remove one first.'],
  gallery_picture_unknown: [400, 'The gallery has no image with this URL.'],
  part_missing: [400, 'The part {part} is declared in data but wasn’t sent.'],
  part_undeclared: [400, 'The part {part} was sent but isn’t declared in data.'],
  part_repeated: [400, 'The part name {part} is used twice.'],
  invalid_image: [400, 'The image can’t be used: {problem}'],
  image_unknown: [400, 'The image {id} doesn’t exist, or wasn’t uploaded by you for this kind of text.'],
  image_used: [400, 'The image {id} is already used in another text.'],
  file_repeated: [400, 'This upload contains the same file twice.'],
  file_name_repeated: [400, 'Two files in this version have the same name.'],
  file_duplicate: [
    400,
    'The file {filename} already belongs to a version of another project (duplicate). Add that version as a dependency instead.',
  ],
  file_unknown: [400, 'This version has no file with the hash {hash}.'],
  last_file: [400, 'A version must have at least one file. Delete the version instead.'],
  no_files: [400, 'The upload contains no files: add at least one after the part data.'],
  version_unknown: [400, 'That version doesn’t exist.'],
  loader_unknown: [400, 'Unknown loader {loader}. Use a name from /v2/tag/loader.'],
  version_of_other_project: [400, 'That version belongs to another project.'],
  nothing_compatible: [400, 'No version of this project fits these game versions and loaders.'],
  loader_field_unknown: [400, 'Versions for {loaders} don’t have the field {field}.'],
  game_version_unknown: [400, 'Unknown game version {game_version}. Use a name from /v2/tag/game_version.'],
  dependency_unknown: [400, 'The dependency {id} isn’t an existing project or version.'],
  dependency_empty: [400, 'A dependency must name a version, a project or a file.'],
  dependency_repeated: [400, 'The same dependency is listed twice.'],
  // files (db/files, site/api/upload/upload.ts)
  file_name_invalid: [
    400,
    'The file name {filename} can’t be used. Rename it: no slashes, backslashes or control characters, at most 255 bytes, and no name reserved by Windows (CON, NUL, COM1 ...).',
  ],
  file_type_unsupported: [400, 'Invalid file type: {filename} must end with one of {extensions}.'],
  file_too_large: [400, 'Project file exceeds the maximum of {limit}: {filename}.'],
  icon_too_large: [400, 'Icons must be smaller than {limit}.'],
  gallery_image_too_large: [400, 'Gallery image exceeds the maximum of {limit}.'],
  upload_incomplete: [400, 'The upload was cut off before it finished. Try again.'],
  upload_unfinished: [
    400,
    'The upload of {filename} isn’t complete: {received} of {size} bytes have arrived.',
  ],
  uploads_too_many: [400, 'You have {limit} uploads that aren’t published yet. Publish or cancel one first.'],
  upload_too_slow: [
    400,
    'The upload was slower than {bytes_per_second} bytes per second. Try again over a faster connection.',
  ],
  signature_type_invalid: [
    400,
    '{filename} is declared as a signature but doesn’t end with asc, gpg or sig.',
  ],
  primary_file_unknown: [400, 'primary_file is {part}, which isn’t one of the uploaded parts.'],
  primary_file_missing: [400, 'A version needs at least one file.'],
  archive_unreadable: [
    400,
    '{filename} can’t be opened as a zip archive. It may be damaged, password-protected or not a zip file at all. Pack it again with a standard tool.',
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
    'The file names in {filename} take up more than {limit} in total. Pack fewer files or shorten their names.',
  ],
  archive_expands_too_much: [
    400,
    '{filename} expands to more than {limit} when unpacked ({entry}). Leave out what players don’t need.',
  ],
  archive_entry_name_invalid: [
    400,
    '{filename} contains an entry with an invalid name ({entry}): no absolute paths, “..”, backslashes or NUL, at most {max_length} bytes and {max_depth} folders deep.',
  ],
  archive_entry_repeated: [400, '{filename} contains the entry {entry} twice. Pack it again.'],
  archive_entry_size_wrong: [
    400,
    'The entry {entry} in {filename} is damaged, or its size isn’t what the archive declares. Pack it again.',
  ],
  archive_entries_overlap: [
    400,
    'The entries of {filename} overlap ({entry}). Pack it again with a standard tool.',
  ],
  archive_method_unsupported: [
    400,
    'The entry {entry} in {filename} uses an unsupported compression method. Use deflate or store.',
  ],
  loader_extension_wrong: [
    400,
    '{filename}: files for {loader} must end with {extensions}. Signatures need the file type signature.',
  ],
  loader_entry_missing: [
    400,
    '{filename} isn’t a valid file for {loader}: it must contain {needed}. Add it, or choose the loaders the file was made for.',
  ],
  modpack_not_mrpack: [
    400,
    '{filename} looks like a modpack ({entry}). Modpacks must be uploaded as .mrpack files.',
  ],
  mrpack_index_missing: [
    400,
    '{filename} doesn’t contain modrinth.index.json at its root. Export the modpack again as .mrpack.',
  ],
  mrpack_index_malformed: [
    400,
    'modrinth.index.json in {filename} isn’t a valid modpack index: {field} must be {expected}.',
  ],
  mrpack_game_unknown: [400, 'modrinth.index.json in {filename}: game must be minecraft.'],
  mrpack_empty: [400, '{filename} lists no files and has no overrides folder. Add files or overrides.'],
  mrpack_path_unsafe: [
    400,
    'modrinth.index.json in {filename} contains the path {path}. Paths must be relative and use forward slashes, without “..”, drive letters or reserved names.',
  ],
  mrpack_hash_missing: [
    400,
    'modrinth.index.json in {filename}: {path} needs both a sha1 and a sha512 hash.',
  ],
  mrpack_download_invalid: [
    400,
    'modrinth.index.json in {filename}: {path} has the download {url}, which isn’t a URL in canonical form.',
  ],
  mrpack_download_host: [
    400,
    'modrinth.index.json in {filename}: {path} is downloaded from {host}, which isn’t allowed. Use {hosts}, or put the file in overrides.',
  ],
  mrpack_dependency_unknown: [
    400,
    'modrinth.index.json in {filename}: {key} isn’t a known dependency. Use one of {allowed}.',
  ],
  license_unknown: [
    400,
    'The license “{license}” isn’t an SPDX expression. Choose one from the list or write LicenseRef-Your-Name.',
  ],
  body_too_complex: [
    400,
    'This text has too much markup to display. Simplify it: use fewer table cells, less emphasis and fewer links.',
  ],
  // threads and reports
  message_private: [400, 'Only moderators can write private messages.'],
  message_unknown: [400, 'The message you’re replying to isn’t in this thread.'],
  message_not_text: [400, 'Only text messages can be deleted.'],
  report_closed: [400, 'This report is closed.'],
  report_closing: [400, 'Only moderators can close and reopen reports.'],
  report_item_unknown: [400, 'The reported item doesn’t exist.'],
  // validation
  invalid_input: [400, '{problem}'],
  not_found: [404, 'The requested item doesn’t exist.'],
  route_not_found: [404, 'the requested route does not exist'],
  // pages: unknown paths, and paths that match a route but name nothing
  page_unknown: [404, 'Page not found: {path}'],
  page_refused: [404, 'Page Not Found: {path}'],
  body_too_large: [413, 'The request body is larger than {limit_bytes} bytes.'],
  rate_limited: [429, 'You are being rate-limited. Please wait {retry_after_ms} ms.'],
  database_away: [503, 'The database isn’t responding right now. Try again in a few seconds.'],
  busy: [503, 'Too many requests are waiting. Try again in a second.'],
  upload_quota_reached: [
    429,
    'You’ve reached the daily upload limit of {limit}. Try again tomorrow, or ask a moderator for more.',
  ],
  storage_foreign: [
    409,
    'The stored files belong to a different database. Check DATABASE_URL and DATA_DIR; nothing was removed.',
  ],
  garbage_too_much: [
    409,
    '{objects} of {seen} stored files have no database row. That’s suspiciously many, so nothing was removed. If the database is the right one, run: cairn storage sweep --force',
  ],
  storage_full: [507, 'There isn’t enough storage space for this file. Contact the operator of this site.'],
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
