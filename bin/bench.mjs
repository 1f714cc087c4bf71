import { node24 } from './install.mjs';

node24('bench/main.ts');
