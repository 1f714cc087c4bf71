import { aside } from '../../../platform/runtime/aside.ts';
import type { LogText } from '../crashes/analyse.ts';
import type { Finding } from '../crashes/view.ts';
import type { SharedText, sharedText } from './stored-text.ts';

/** Logs are of any length and written by anybody: they are read beside the thread that everybody shares. */

/** `analyseLogs`, aside; up to 5 s. Refuses as `aside` does. */
export const analyseLogsAside = aside<readonly LogText[], Finding[]>({
  module: new URL('../crashes/analyse.ts', import.meta.url),
  name: 'analyseLogs',
  limit_ms: 5_000,
});

/** `sharedText`, aside; up to 5 s. Refuses as `aside` does. */
export const sharedTextAside = aside<Parameters<typeof sharedText>[0], SharedText>({
  module: new URL('./stored-text.ts', import.meta.url),
  name: 'sharedText',
  limit_ms: 5_000,
});
