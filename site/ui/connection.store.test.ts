import { expect, test } from 'vitest';
import { isSuspicious, troubleOf } from './connection.store.ts';

test('a site without its record is down, one without its search gives less', () => {
  expect(troubleOf([])).toBeNull();
  expect(troubleOf(['search'])).toBe('incomplete');
  expect(troubleOf(['state'])).toBe('incomplete');
  expect(troubleOf(['database', 'migrated', 'seeded'])).toBe('down');
});

test('only answers that did not come, or came from before the site, are suspicious', () => {
  const suspicious = [0, 200, 404, 429, 500, 502, 503, 504].filter((status) =>
    isSuspicious({ status, retry_after_s: null }),
  );
  expect(suspicious).toEqual([0, 502, 503, 504]);
});
