import { node24 } from './install.mjs';

await node24('bin/translations.ts', { tools: true });
