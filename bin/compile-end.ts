import { flushCompileCache } from 'node:module';

// the first module that is evaluated: everything else is loaded and compiled by now, and none of it may run
flushCompileCache();
process.exit();
