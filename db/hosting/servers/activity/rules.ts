/** What people did on a server, in kinds; for filters. */

/** The kinds and the beginnings of the names of their events, in the order of filters. */
const beginnings = {
  console: ['server.command_'],
  power: ['server.power_'],
  content: ['server.change_'],
  files: ['server.file', 'server.sftp_', 'server.archive_'],
  backups: ['server.backup_'],
  options: ['server.renamed', 'server.properties_', 'server.startup_'],
  schedules: ['server.schedule_'],
  players: ['server.player'],
  access: ['server.member_'],
} as const satisfies Record<string, readonly string[]>;

/** `server`: everything else, such as its creation and its crashes. */
export const activityKinds = [...(Object.keys(beginnings) as (keyof typeof beginnings)[]), 'server'] as const;
export type ActivityKind = (typeof activityKinds)[number];

/** The kind of an event by its name. */
export const kindOfEvent = (name: string): ActivityKind =>
  activityKinds.find((kind) => kind !== 'server' && beginnings[kind].some((one) => name.startsWith(one))) ??
  'server';

/** Patterns of SQL `like` for the names of a kind: those it has, or for `server` those it has not. */
export const patternsOf = (kind: ActivityKind): { like: string[]; not: boolean } => ({
  like: (kind === 'server' ? Object.values(beginnings).flat() : [...beginnings[kind]]).map(
    (one) => `${one.replaceAll('_', '\\_')}%`,
  ),
  not: kind === 'server',
});

/** Most entries of one answer, and of one export. */
export const max_activity_page = 200;
export const max_activity_export = 10_000;
/** Letters of a console command that are kept. */
export const kept_command_letters = 200;
