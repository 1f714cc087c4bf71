import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// what is polled for may take its time on a busy machine; only a failure waits that long
const common = {
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000 } },
  setupFiles: [
    'bin/testing/wait-for.ts',
    'bin/testing/forget-memoized.ts',
    'bin/testing/longer-properties.ts',
  ],
};
// files of a worker share its process: starting one and importing everything again took a third of the time
const shared = { isolate: false };

/**
 * `unit` needs nothing; `record` gets real Postgres servers, a clone of the migrated template per file; `isolated` the
 * same, in a process per file, for those that replace modules or read memory of the process; `page` gets the built site
 * on clones of the demo content, and loads modules as the product does, so that the build and the test share the record;
 * `docker` gets what `record` has and a Docker engine, one file after the other; `soak` (`npm run soak`,
 * `bin/soak/parts.ts`) the same for what takes many minutes; `site` gets Postgres and the built site for tests that start a
 * site process of their own; `start` starts the whole product, several of them at a time.
 */
export default defineConfig({
  test: {
    // one more than cores: tests wait for Postgres, sockets and clocks. 66 files with Postgres took 44 s instead of 58 s
    maxWorkers: Math.min(4, availableParallelism() + 1),
    projects: [
      {
        test: {
          ...common,
          ...shared,
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [
            '**/*.db.test.ts',
            '**/*.page.test.ts',
            '**/*.docker.test.ts',
            '**/*.start.test.ts',
            '**/*.site.test.ts',
            '**/*.soak.test.ts',
            '**/node_modules/**',
            'dist/**',
            '.data/**',
            // `npm run check` leaves them to `npm test`; a project's list is not added to by the command line's
            ...(process.env.QUICK ? ['**/*.slow.test.ts'] : []),
          ],
        },
      },
      {
        test: {
          ...common,
          ...shared,
          name: 'record',
          include: ['**/*.db.test.ts'],
          exclude: ['**/*.isolated.db.test.ts', '**/node_modules/**', 'dist/**', '.data/**'],
          globalSetup: ['db/testing/server.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'isolated',
          include: ['**/*.isolated.db.test.ts'],
          exclude: ['**/node_modules/**', 'dist/**', '.data/**'],
          globalSetup: ['db/testing/server.ts'],
        },
      },
      {
        test: {
          ...common,
          ...shared,
          name: 'page',
          include: ['**/*.page.test.ts'],
          exclude: ['**/node_modules/**', 'dist/**', '.data/**'],
          globalSetup: ['bin/testing/built-site.ts', 'db/testing/demo.ts'],
          env: { NODE_ENV: 'production', PSEUDO_LOCALES: '1' },
          experimental: { viteModuleRunner: false, nodeLoader: false },
        },
      },
      {
        test: {
          ...common,
          ...shared,
          name: 'docker',
          include: ['**/*.docker.test.ts'],
          exclude: ['**/node_modules/**', 'dist/**', '.data/**'],
          globalSetup: ['db/testing/server.ts'],
          testTimeout: 120_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          ...common,
          name: 'soak',
          include: ['**/*.soak.test.ts'],
          exclude: ['**/node_modules/**', 'dist/**', '.data/**'],
          globalSetup: ['db/testing/server.ts'],
          // its parts have bounds of their own
          testTimeout: 7_200_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          ...common,
          name: 'site',
          // each has processes of its own
          maxWorkers: 2,
          include: ['bin/*.site.test.ts'],
          globalSetup: ['bin/testing/built-site.ts', 'db/testing/server.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'start',
          // each has processes of its own
          maxWorkers: 2,
          include: ['bin/*.start.test.ts'],
          testTimeout: 330_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
