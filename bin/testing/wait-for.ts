import { vi } from 'vitest';

/**
 * Loaded before each test file: `vi.waitFor` gives up after 20 s like `expect.poll`, not after one second, which is too
 * little on a busy machine; vitest has no setting for it. Only a failure waits that long.
 */
const waitFor = vi.waitFor;
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: 20_000, ...options });
