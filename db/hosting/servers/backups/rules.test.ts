import { describe, expect, it } from 'vitest';
import { errorOfOperation } from '../operations/rules.ts';
import {
  backupStates,
  canBackupMove,
  defaultBackupName,
  defaultBackupTarget,
  normalizedBackupName,
  whyNotBackupName,
  whyNotBeginBackup,
  whyNotCancelBackup,
  whyNotDeleteBackup,
  whyNotRestoreTo,
  whyNotRetryBackup,
  whyNotUseBackup,
  whyNotVerifyBackup,
} from './rules.ts';

describe('the name of a backup', () => {
  it.each(['a', 'x'.repeat(48), '🏔'.repeat(48), ' Before the war ', 'a/b..', 'قبل الحرب'])(
    'may be %j',
    (name) => expect(whyNotBackupName(name)).toBeNull(),
  );
  it.each([
    '',
    '   ',
    'x'.repeat(49),
    'a\0b',
    'a\nb',
    'a\u202eb',
    'a\u2066b',
    'a\u2028b',
    '\ud800',
    'x'.repeat(4_096),
  ])('may not be %j', (name) => expect(whyNotBackupName(name)).toBe('backup_name_length'));
  it('is trimmed, and is the same however its accents are written', () => {
    expect(normalizedBackupName(' e\u0301te\u0301 ')).toBe('\u00e9t\u00e9');
  });
  it('is numbered after the highest one when none is given', () => {
    expect(defaultBackupName([])).toBe('Backup #1');
    expect(defaultBackupName(['Backup #1', 'backup #7', 'Backup #x', 'World', 'Backup #99999999999'])).toBe(
      'Backup #8',
    );
  });
});

const at = (state: (typeof backupStates)[number], locked = false) => ({ state, locked });
const allowed = (rule: (backup: ReturnType<typeof at>) => string | null) =>
  backupStates.filter((state) => rule(at(state)) === null);

describe('what may be done with a backup', () => {
  it('follows from its state', () => {
    expect(allowed(whyNotUseBackup)).toEqual(['done', 'unchanged']);
    expect(allowed(whyNotVerifyBackup)).toEqual(['done', 'unchanged', 'damaged']);
    expect(allowed(whyNotRetryBackup)).toEqual(['failed', 'cancelled']);
    expect(allowed(whyNotDeleteBackup)).toEqual([
      ...['done', 'unchanged', 'failed', 'cancelled', 'deleting', 'damaged'],
    ]);
    expect(whyNotUseBackup(at('damaged'))).toBe('backup_damaged');
    expect(whyNotUseBackup(at('creating'))).toBe('backup_in_progress');
    expect(whyNotUseBackup(at('failed'))).toBe('backup_not_ready');
    expect(whyNotRetryBackup(at('done'))).toBe('backup_exists');
    expect(whyNotCancelBackup(at('deleting'))).toBe('backup_not_cancellable');
  });
  it('never is to delete it while it is locked', () => {
    for (const state of backupStates) expect(whyNotDeleteBackup(at(state, true))).toBe('backup_locked');
  });
  it('is bounded: one at a time, and 15', () => {
    expect(whyNotBeginBackup({ in_progress: true, count: 0 })).toBe('backup_in_progress');
    expect(whyNotBeginBackup({ in_progress: false, count: 15 })).toBe('backups_too_many');
    expect(whyNotBeginBackup({ in_progress: false, count: 14 })).toBeNull();
  });
  it('moves only along the table: nothing follows from itself, and a damaged one is never restored', () => {
    for (const state of backupStates) expect(canBackupMove(state, state)).toBe(false);
    expect(canBackupMove('damaged', 'restoring')).toBe(false);
    expect(canBackupMove('queued', 'done')).toBe(true);
  });
});

it('restores to another server of the same owner, node and kind with enough disk', () => {
  const server = { owner_id: 'u', node_id: 'n', kind: 'local', disk_mb: 1_000 };
  const to = (given: Partial<typeof server>) =>
    whyNotRestoreTo(server, { ...server, ...given }, { target: 'node' });
  expect(to({})).toBeNull();
  expect(to({ disk_mb: 2_000 })).toBeNull();
  expect(to({ disk_mb: 999 })).toBe('backup_disk_smaller');
  expect(to({ node_id: 'm' })).toBe('backup_other_node');
  const elsewhere = (backup: Parameters<typeof whyNotRestoreTo>[2]) =>
    whyNotRestoreTo(server, { ...server, node_id: 'm' }, backup);
  expect(elsewhere({ target: 'platform' })).toBeNull();
  expect(elsewhere({ target: 's3' })).toBe('backup_other_node');
  expect(elsewhere({ target: 's3', same_store: true })).toBeNull();
  expect(elsewhere({ target: 'node', same_store: true })).toBe('backup_other_node');
  expect(to({ owner_id: 'v' })).toBe('backup_other_owner');
  expect(to({ kind: 'itzg' })).toBe('backup_other_kind');
});

it('is kept by itself at the platform with several nodes, where everything can do that', () => {
  const all = { nodes: 2, engine: 'archive', agent_targets: ['node', 'platform'] } as const;
  expect(defaultBackupTarget(all)).toBe('platform');
  expect(defaultBackupTarget({ ...all, nodes: 1 })).toBe('node');
  expect(defaultBackupTarget({ ...all, engine: 'restic' })).toBe('node');
  expect(defaultBackupTarget({ ...all, agent_targets: [] })).toBe('node');
});

describe('the error of an operation', () => {
  const failed = (result: object | null, state = 'failed') => errorOfOperation({ state, result });
  it('is the refusal that the agent names, with its data', () => {
    expect(failed({ error: 'disk_full' })).toEqual({ code: 'disk_full', retryable: true });
    expect(failed({ error: 'backup_damaged' })).toEqual({ code: 'backup_damaged', retryable: false });
    expect(failed({ error: 'backup_target_failed', data: { problem: 'no space', more: {} } })).toEqual({
      ...{ code: 'backup_target_failed', retryable: true, data: { problem: 'no space' } },
    });
  });
  it('is a general one for what nobody knows, and for a text with a gap', () => {
    for (const result of [null, {}, { error: 'EIO: i/o error' }, { error: 7 }, { error: 'toString' }])
      expect(failed(result)).toEqual({ code: 'operation_failed', retryable: true });
    expect(failed({ error: 'backup_target_failed' }).code).toBe('operation_failed');
  });
  it('says what kept the agent from it', () => {
    expect(failed({}, 'interrupted').code).toBe('backup_interrupted');
    expect(failed({}, 'expired').code).toBe('server_unreachable');
    expect(failed({ error: 'unknown_kind' })).toEqual({ code: 'agent_outdated', retryable: false });
  });
});
