import { activityRow } from './activity.ts';
import { alertRows } from './alerts.ts';
import { backupRows } from './backups.ts';
import { contentRows } from './content.ts';
import { crashRows } from './crash.ts';
import { exportRow } from './export.ts';
import { figuresRow } from './figures.ts';
import { fileChangeRows } from './file-changes.ts';
import { fileTransferRows } from './file-transfers.ts';
import { fileRows } from './files.ts';
import { generalRows } from './general.ts';
import { loaderRows } from './loader.ts';
import { domainRows, portRows } from './network.ts';
import { planRows, propertyRows, sleepRows, startupRows } from './options.ts';
import { peopleRows } from './people.ts';
import { playerRows } from './players.ts';
import type { Row } from './row.ts';
import { scheduleRows } from './schedules.ts';
import { deleteRow, serverRows } from './servers.ts';
import { sftpRows } from './sftp.ts';
import { staffRows } from './staff.ts';

/** Every command of `cairn server`, in the order of the help. */
export const rows: readonly Row[] = [
  ...serverRows,
  ...backupRows,
  exportRow,
  ...generalRows,
  ...loaderRows,
  ...contentRows,
  ...sftpRows,
  ...propertyRows,
  ...scheduleRows,
  ...startupRows,
  ...sleepRows,
  ...planRows,
  ...portRows,
  ...domainRows,
  ...playerRows,
  ...crashRows,
  figuresRow,
  ...alertRows,
  ...peopleRows,
  activityRow,
  deleteRow,
  ...staffRows,
  ...fileRows,
  ...fileTransferRows,
  ...fileChangeRows,
];

/** What the help says of words that begin several commands. */
export const groups: Readonly<Record<string, string>> = {
  backup: 'Manages the backups of a game server.',
  icon: 'Shows and changes the picture that players see, from the next start on.',
  subdomain: 'Shows and changes the name of a server below the domain of the site.',
  loader: 'Shows and changes game version and loader.',
  content: 'Shows and changes mods, plugins, data packs and modpacks.',
  sftp: 'Shows and changes how you reach the files of a server by SFTP.',
  'sftp key': 'Adds and removes public keys.',
  properties: 'Shows and changes server.properties; comments, order and unknown keys stay.',
  schedule: 'Shows and changes what a server does by itself.',
  startup: 'Shows and changes how a server is started, from its next start on.',
  sleep: 'Shows and changes whether a server stops while nobody plays and starts when somebody joins.',
  plan: 'Works out and makes changes of plan and billing interval.',
  ports: 'Shows and changes the ports of a server, from its next start on.',
  domain: 'Shows, sets and checks a domain of your own that leads players to a server.',
  players: 'Shows who is online, and changes whitelist, operators and bans; also while the server is off.',
  log: 'Shares logs of a server without secrets and addresses, until a chosen end.',
  alerts: 'Shows and changes the alerts of a server.',
  people: 'Shows and changes who may use a server beside its owner, and answers invitations.',
  files: 'Manages the files of a game server. Paths begin at its folder, such as world/level.dat.',
};
