import { expect, test } from 'vitest';
import { choosePrimary, type Inspection } from './archive.ts';

const found = (part: string, state: 'passes' | 'warned' | 'refused') => ({
  part,
  inspection: {
    problem: state === 'refused' ? { code: 'archive_unreadable', data: { filename: part } } : null,
    warning: state === 'warned' ? { code: 'mrpack_index_missing', data: { filename: part } } : null,
    mrpack: null,
    entries: [],
  } as Inspection,
});

test('the primary file is the named one, else the only one, else the first without a warning', () => {
  expect(choosePrimary([found('a', 'passes'), found('b', 'passes')], 'b')).toBe(1);
  expect(choosePrimary([found('a', 'passes')], undefined)).toBe(0);
  expect(choosePrimary([found('a', 'warned'), found('b', 'passes'), found('c', 'passes')], undefined)).toBe(
    1,
  );
});

test('a warning refuses the primary file, a problem any file', () => {
  const code = (files: ReturnType<typeof found>[], named?: string) => {
    try {
      return choosePrimary(files, named);
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  expect(code([found('a', 'warned'), found('b', 'passes')], 'a')).toBe('mrpack_index_missing');
  expect(code([found('a', 'warned')])).toBe('mrpack_index_missing');
  expect(code([found('a', 'warned'), found('b', 'warned')])).toBe('mrpack_index_missing');
  expect(code([found('a', 'passes'), found('b', 'refused')])).toBe('archive_unreadable');
  expect(code([found('a', 'passes')], 'c')).toBe('primary_file_unknown');
  expect(code([])).toBe('primary_file_missing');
});
