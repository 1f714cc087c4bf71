import { node24 } from './install.mjs';

await node24('e2e/screenshots.ts', { tools: true });
