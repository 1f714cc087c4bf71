/**
 * Loads and compiles all modules of the product, its worker threads included, without running them: the first import
 * ends the process, and modules are evaluated only when all of them are loaded. `install.mjs` gives the reason.
 */
import './compile-end.ts';
import '../agents/main.ts';
import '../control-plane/main.ts';
import '../db/discovery/search/embedded/builder-process.ts';
import '../db/discovery/search/embedded/searcher-thread.ts';
import '../db/platform/text/worker.ts';
import '../site/server.ts';
import './main.ts';
