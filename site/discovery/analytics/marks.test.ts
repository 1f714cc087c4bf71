import { expect, it } from 'vitest';
import { marksOf } from './marks.ts';

const period = { start: Date.parse('2026-11-01'), end: Date.parse('2026-11-30') };
const announcement = (starts: string, ends: string | null, more = {}) => ({
  ...{ id: 'x', title: starts, announcement_url: 'https://example.org/', for_metric_kind: ['downloads'] },
  ...{ starts, ends, ...more },
});

it('marks are what happened in the period, the latest first, and announcements of the metric', () => {
  const common = { project_id: 'P', timestamp: '2026-11-05T00:00:00Z' };
  const marks = marksOf(
    [
      { ...common, kind: 'version_uploaded', version_id: 'V', version_name: 'One', version_number: '1.0' },
      {
        ...common,
        timestamp: '2025-01-01T00:00:00Z',
        kind: 'status_changed',
        status_from: 'a',
        status_to: 'b',
      },
    ],
    [
      announcement('2026-10-20', '2026-11-02'),
      announcement('2026-10-01', '2026-10-02'),
      announcement('2026-11-10', null, { announcement_url: 'javascript:alert(1)' }),
      announcement('2026-11-10', null, { for_metric_kind: ['revenue'] }),
    ],
    'downloads',
    period,
  );
  expect(marks).toEqual([
    { at: Date.parse('2026-11-10'), kind: 'announcement', title: '2026-11-10', url: null },
    { at: Date.parse('2026-11-05'), kind: 'version', project: 'P', id: 'V', number: '1.0' },
    { at: period.start, kind: 'announcement', title: '2026-10-20', url: 'https://example.org/' },
  ]);
});
