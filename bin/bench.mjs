import { node24 } from './install.mjs';

await node24('bench/main.ts', { tools: true });
