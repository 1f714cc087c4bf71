import { expect, it } from 'vitest';
import { uploadThroughCrash } from './testing/interrupted-upload.ts';
import { ownProduct } from './testing/own-product.ts';

const MiB = 1024 * 1024;
const own = ownProduct({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0', HOSTING: 'off' });

it('300 MiB over a slow line and through a crash need no more memory than a small file', async () => {
  const journey = await uploadThroughCrash(own, { file_bytes: 300 * MiB, bytes_per_second: 4 * MiB });
  const grew = (bytes: number) => `${(bytes / MiB).toFixed(0)} MiB`;
  console.log(`The site grew by ${grew(journey.site_grew)}, the browser by ${grew(journey.browser_grew)}.`);
  expect(journey.continued_at).toBeGreaterThan(60 * MiB);
  expect(journey.stored_sha512).toBe(journey.file_sha512);
  expect(journey.site_grew).toBeLessThan(150 * MiB);
  expect(journey.browser_grew).toBeLessThan(150 * MiB);
});
