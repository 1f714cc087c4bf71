import { sizeTexts } from '../../platform/text/bytes.ts';
import { panelPrefixes } from '../shared/panel-prefixes.ts';
import type { PanelScreenId } from './screens.ts';

/** The page of the tab `options` is `general`. */
export type PanelPageId = Exclude<PanelScreenId, 'options'>;

/** What an agent may answer to anything that it does. */
const operationErrors = ['error.disk_full', 'error.operation_failed', 'error.agent_outdated'] as const;
/** Why a change of content failed. */
export const changeErrors = [
  'error.content_',
  'error.change_',
  'error.loader_',
  'error.backup',
  'error.transfer',
  ...operationErrors,
] as const;
/** The files of a server, also where they are only uploaded. */
const fileTexts = [...sizeTexts, 'server_files.', 'crash_help.'] as const;
/** What `OptionsLoading` says. */
const loadingTexts = ['server_options.load', 'server_options.reload', 'server_options.offline'] as const;

/** What pages say beside the texts of the panel itself: the beginnings of the keys. */
const own: Partial<Record<PanelPageId, readonly string[]>> = {
  overview: ['server_content.first_', 'crash_help.'],
  content: [...fileTexts, 'server_content.', ...changeErrors],
  players: ['server_players.', 'error.player_'],
  files: fileTexts,
  backups: [...sizeTexts, 'backup.', 'error.backup', ...operationErrors],
  schedules: [
    'schedule.',
    'error.schedule',
    'error.time_zone_unknown',
    'error.backup',
    'error.content_',
    'error.change_',
    ...operationErrors,
  ],
  performance: ['server_figures.'],
  access: ['server_access.', 'error.user_unknown'],
  activity: ['server_access.', 'server_activity.'],
  general: [...loadingTexts, 'server_general.', 'error.subdomain', 'error.file_changed', 'error.disk_full'],
  loader: [
    ...loadingTexts,
    'loader.',
    'backup.when',
    'error.change_',
    'error.content_',
    'error.backup',
    ...operationErrors,
  ],
  properties: ['server_options.'],
  startup: ['server_options.'],
  sleep: ['server_options.'],
  network: [...loadingTexts, 'server_network.'],
  alerts: [
    'server_options.',
    'server_alerts.',
    'server_figures.percent',
    'server_figures.ms',
    'webhooks.problem_',
  ],
  info: ['server_info.', 'server_files.sftp', 'buying.region_'],
  preferences: ['server_preferences.'],
};

/** The beginnings of the keys of all texts of a page of a server's panel. */
export const panelTexts = (page: PanelPageId): readonly string[] => [...panelPrefixes, ...(own[page] ?? [])];
