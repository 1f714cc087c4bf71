/**
 * Loads and compiles all modules of the product, its worker threads included, without running them: the first import
 * ends the process, and modules are evaluated only when all of them are loaded. `install.mjs` gives the reason.
 */
import './compile-end.ts';
import '../agents/main.ts';
import '../control-plane/main.ts';
import '../db/search/embedded/builder-process.ts';
import '../db/search/embedded/searcher-thread.ts';
import '../db/text/worker.ts';
import '../site/server.ts';
import './main.ts';
