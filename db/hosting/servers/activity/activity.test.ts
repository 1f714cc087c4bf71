import { describe, expect, it } from 'vitest';
import { csvLine } from './export.ts';
import { operationEvent } from './file-events.ts';
import { activityKinds, kindOfEvent, patternsOf } from './rules.ts';

const entry = {
  ...{ id: 1, at: '2026-11-26T12:00:00.000Z', kind: 'console' as const, name: 'server.command_sent' },
  ...{ by: 'person' as const, username: 'ada', member: null, data: { text: 'say "hi"' }, text: '=1+1' },
};

describe('the activity', () => {
  it.each([
    ['server.command_sent', 'console'],
    ['server.power_requested', 'power'],
    ['server.files_changed', 'files'],
    ['server.sftp_opened', 'files'],
    ['server.change_requested', 'content'],
    ['server.backup_restored', 'backups'],
    ['server.renamed', 'options'],
    ['server.member_removed', 'access'],
    ['server.crashed', 'server'],
    ['server.resumed', 'server'],
  ])('has %s under %s', (name, kind) => expect(kindOfEvent(name)).toBe(kind));

  it('asks the database for exactly the events of a kind', () => {
    const matches = (name: string, { like, not }: ReturnType<typeof patternsOf>) =>
      like.some((pattern) => name.startsWith(pattern.slice(0, -1).replaceAll('\\_', '_'))) !== not;
    for (const name of ['server.command_sent', 'server.filesX', 'server.crashed', 'server.renamed'])
      expect(activityKinds.filter((kind) => matches(name, patternsOf(kind)))).toEqual([kindOfEvent(name)]);
  });

  it('is a line of CSV that no spreadsheet computes', () => {
    expect(csvLine(entry)).toBe(
      `2026-11-26T12:00:00.000Z,console,server.command_sent,person,ada,,"{""text"":""say \\""hi\\""""}",'=1+1`,
    );
  });
});

describe('an operation on files', () => {
  const by = { server_id: 'S', actor_id: 'A' };
  it('is said with the first of its paths', () => {
    const paths = Array.from({ length: 8 }, (_, at) => `mods/${at}.jar`);
    expect(operationEvent({ ...by, kind: 'file_delete', args: { paths } })).toMatchObject({
      data: { action: 'delete', paths: paths.slice(0, 5), count: 8 },
    });
    const moves = [{ from: 'a', to: 'b' }];
    expect(operationEvent({ ...by, kind: 'file_move', args: { moves } })).toMatchObject({
      data: { action: 'move', paths: ['a'], count: 1 },
    });
  });

  it('of Cairn itself, and other operations, are not', () => {
    expect(operationEvent({ ...by, actor_id: null, kind: 'file_delete', args: {} })).toBeNull();
    expect(operationEvent({ ...by, kind: 'file_erase', args: {} })).toBeNull();
    expect(operationEvent({ ...by, kind: 'backup_create', args: {} })).toBeNull();
  });
});
