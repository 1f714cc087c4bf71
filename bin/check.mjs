import { node24 } from './install.mjs';

await node24('bin/check.ts', { tools: true });
