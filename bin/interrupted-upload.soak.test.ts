import { expect, it } from 'vitest';
import { testDatabase } from '#db/testing/database.ts';
import { uploadThroughCrash } from './testing/interrupted-upload.ts';
import { ownBrowser } from './testing/own-browser.ts';
import { ownSite } from './testing/own-site.ts';

const MiB = 1024 * 1024;
const database = testDatabase();
const site = ownSite(database, { LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0' });
const browser = ownBrowser();

it('300 MiB over a slow line and through a crash need no more memory than a small file', async () => {
  const line = { file_bytes: 300 * MiB, bytes_per_second: 4 * MiB };
  const journey = await uploadThroughCrash({ site, database, browser }, line);
  const grew = (bytes: number) => `${(bytes / MiB).toFixed(0)} MiB`;
  console.log(`The site grew by ${grew(journey.site_grew)}, the browser by ${grew(journey.browser_grew)}.`);
  expect(journey.continued_at).toBeGreaterThan(60 * MiB);
  expect(journey.stored_sha512).toBe(journey.file_sha512);
  expect(journey.site_grew).toBeLessThan(150 * MiB);
  expect(journey.browser_grew).toBeLessThan(150 * MiB);
});
