import { existsSync } from 'node:fs';
import { defineConfig } from 'playwright/test';

/** The product as `npm start` runs it, on a port and a data folder of its own that begin empty. */
const port = process.env.E2E_PORT ?? '4390';
const data = '.tmp/e2e';
const chromium = process.env.CHROMIUM ?? ['/usr/bin/chromium'].find((path) => existsSync(path));

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.e2e.ts',
  outputDir: '.tmp/e2e-results',
  timeout: 120_000,
  expect: { timeout: 20_000 },
  workers: 2,
  forbidOnly: true,
  reporter: 'list',
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    colorScheme: 'dark',
    locale: 'en-US',
    // it would hide requests from tests that answer them
    serviceWorkers: 'block',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  webServer: {
    command: `rm -rf ${data} && exec node bin/start.mjs`,
    url: `http://127.0.0.1:${port}/readyz`,
    env: {
      PORT: port,
      DATA_DIR: data,
      SEED: 'demo',
      RATE_LIMIT_PER_MINUTE: '0',
      PSEUDO_LOCALES: '1',
      // it runs while `providers.e2e.ts` does
      OIDC_ISSUER: `http://127.0.0.1:${Number(port) + 7}`,
      OIDC_CLIENT_ID: 'cairn',
      OIDC_CLIENT_SECRET: 'open-sesame',
      OIDC_NAME: 'Guild',
      LAUNCHERS: 'Long Way=https://launcher.example',
      LOG_LEVEL: 'warn',
    },
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
});
