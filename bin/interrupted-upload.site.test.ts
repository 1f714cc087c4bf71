import { expect, it } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { uploadThroughCrash } from './testing/interrupted-upload.ts';
import { ownBrowser } from './testing/own-browser.ts';
import { ownSite } from './testing/own-site.ts';

const MiB = 1024 * 1024;
const database = testDatabase();
const site = ownSite(database, { LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0' });
const browser = ownBrowser();

it('an upload whose server is killed continues in the browser where it was, and is published', async () => {
  const line = { file_bytes: 24 * MiB, bytes_per_second: 3 * MiB };
  const journey = await uploadThroughCrash({ site, database, browser }, line);
  expect(journey.continued_at).toBeGreaterThan(4 * MiB);
  // no byte was sent a second time
  expect(Math.min(...journey.offsets)).toBe(journey.continued_at);
  expect(journey.stored_sha512).toBe(journey.file_sha512);
});
