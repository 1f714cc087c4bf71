import { expect, test } from 'vitest';
import { isSuspicious, outageOf } from './connection.store.ts';

test('a site without its database is down, one without search is incomplete', () => {
  expect(outageOf([])).toBeNull();
  expect(outageOf(['search'])).toBe('incomplete');
  expect(outageOf(['state'])).toBe('incomplete');
  expect(outageOf(['database', 'migrated', 'seeded'])).toBe('down');
});

test('only a missing answer, or one from a proxy, is suspicious', () => {
  const suspicious = [0, 200, 404, 429, 500, 502, 503, 504].filter((status) =>
    isSuspicious({ status, retry_after_s: null }),
  );
  expect(suspicious).toEqual([0, 502, 503, 504]);
});
