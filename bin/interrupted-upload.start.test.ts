import { expect, it } from 'vitest';
import { uploadThroughCrash } from './testing/interrupted-upload.ts';
import { ownProduct } from './testing/own-product.ts';

const MiB = 1024 * 1024;
const own = ownProduct({ LOG_LEVEL: 'silent', RATE_LIMIT_PER_MINUTE: '0', HOSTING: 'off' });

it('an upload whose server is killed continues in the browser where it was, and is published', async () => {
  const journey = await uploadThroughCrash(own, { file_bytes: 24 * MiB, bytes_per_second: 3 * MiB });
  expect(journey.continued_at).toBeGreaterThan(4 * MiB);
  // no byte was sent a second time
  expect(Math.min(...journey.offsets)).toBe(journey.continued_at);
  expect(journey.stored_sha512).toBe(journey.file_sha512);
});
