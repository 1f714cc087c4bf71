import { forgetMemoized } from '#db/platform/runtime/memoize.ts';

/** Loaded before each test file: files that share a process have databases of their own. */
forgetMemoized();
