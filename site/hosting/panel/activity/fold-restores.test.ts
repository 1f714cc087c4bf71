import { expect, it } from 'vitest';
import type { ActivityEntry } from '#db/hosting/servers/activity/view.ts';
import { foldRestores } from './fold-restores.ts';

let id = 99;
const entry = (name: string, given: Partial<ActivityEntry> = {}): ActivityEntry => ({
  ...{ id: id--, at: '2026-11-26T12:00:00.000Z', kind: 'backups', name: `server.${name}`, by: 'system' },
  ...{ username: null, member: null, data: { backup_id: 'old' }, ...given },
});
const namesOf = (entries: ActivityEntry[]) =>
  foldRestores(entries).map(({ entry, steps }) => [entry.name, ...steps.map(({ name }) => name)].join(' '));

const asked = () => entry('backup_restore_requested', { by: 'person', username: 'ada' });
const safety = () => entry('backup_created', { data: { backup_id: 'safety' } });

it('shows a restore as one entry with its steps', () => {
  const file = entry('files_changed', { kind: 'files', by: 'person' });
  expect(namesOf([entry('backup_restored'), file, safety(), asked(), entry('crashed')])).toEqual([
    'server.backup_restore_requested server.backup_restored server.backup_created',
    'server.files_changed',
    'server.crashed',
  ]);
});

it('keeps the lines of a restore that failed, goes on, or began on an older page', () => {
  expect(namesOf([entry('backup_restore_failed'), safety(), asked()])).toHaveLength(3);
  expect(namesOf([safety(), asked()])).toHaveLength(2);
  expect(namesOf([entry('backup_restored'), safety()])).toHaveLength(2);
  const other = entry('backup_restore_requested', { data: { backup_id: 'other' } });
  expect(namesOf([entry('backup_restored'), other])).toHaveLength(2);
});
