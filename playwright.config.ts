import { defineConfig } from 'playwright/test';
import { installed } from './bin/chromium.ts';
import { dataFolder as data, port, site } from './e2e/product.ts';

const chromium = process.env.CHROMIUM ?? installed();

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.e2e.ts',
  outputDir: `${data}-results`,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  workers: 3,
  forbidOnly: true,
  reporter: 'list',
  use: {
    baseURL: site,
    colorScheme: 'dark',
    locale: 'en-US',
    // it would hide requests from tests that answer them
    serviceWorkers: 'block',
    // a trace takes pictures all the time, which costs a third of a run; `npm test` traces its second tries
    trace: 'off',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-gpu',
      ],
    },
  },
  webServer: {
    command: `rm -rf ${data} && exec node bin/start.mjs`,
    url: `${site}/readyz`,
    env: {
      PORT: String(port),
      SITE_URL: site,
      DATA_DIR: data,
      SEED: 'demo',
      // drawing those of all projects is half of a first start, and tests look at few
      DEMO_GALLERIES: '24',
      RATE_LIMIT_PER_MINUTE: '0',
      PSEUDO_LOCALES: '1',
      // it runs while `providers.e2e.ts` does
      OIDC_ISSUER: `http://127.0.0.1:${port + 7}`,
      OIDC_CLIENT_ID: 'cairn',
      OIDC_CLIENT_SECRET: 'open-sesame',
      OIDC_NAME: 'Guild',
      // the data is removed before each run, also after one that was killed
      AGENT_DISK: 'measured',
      // beside another product of this machine
      SFTP_PORT: String(port + 8),
      AGENT_PORTS: `${port + 16}-${port + 63}`,
      SERVERS_DOMAIN: 'servers.cairn.test',
      SERVERS_ZONE_FILE: `${data}/servers.zone`,
      // what `network.e2e.ts` answers
      DNS_SERVERS: `127.0.0.1:${port + 9}`,
      // visitors who are not signed in see them on search pages and on projects
      ADS: 'own',
      ADS_DIR: 'e2e/ads',
      LAUNCHERS: 'Long Way=https://launcher.example',
      LOG_LEVEL: 'warn',
    },
    timeout: 300_000,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 10_000 },
  },
});
