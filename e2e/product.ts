/** Where the product that the browser tests use listens, and its data folder; `playwright.config.ts` starts it. */
export const port = Number(process.env.E2E_PORT ?? '4390');
export const site = `http://127.0.0.1:${port}`;
export const dataFolder = process.env.E2E_DATA ?? '.tmp/e2e';
