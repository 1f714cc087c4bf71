import { node24 } from './install.mjs';

await node24('bin/soak.ts', { tools: true });
