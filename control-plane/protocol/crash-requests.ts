import { z } from 'zod';
import { max_findings } from '#db/hosting/servers/crashes/rules.ts';
import { finding } from '#db/hosting/servers/crashes/view.ts';
import { path_bytes } from '#db/hosting/servers/files/rules.ts';
import { logLifetimeIds, max_shared_logs } from '#db/hosting/servers/logs/rules.ts';
import { sharedLogView } from '#db/hosting/servers/logs/view.ts';
import type { RequestMap } from './ack.ts';

const id = z.string().regex(/^[0-9A-Za-z]{1,11}$/);
/** Of one log; without it those of the last crash. */
const path = z.string().min(1).max(path_bytes).optional();
const logs = z.array(sharedLogView).max(max_shared_logs);

/** Requests of panels about what is wrong with a server, and about logs that are shared. */
export const crashRequests = {
  /**
   * What may be wrong, by the rules of Cairn: nothing is sent anywhere. Without `path` it reads the newest crash report, the log
   * and what the console said last; of these only the console for whoever may not read files.
   */
  'crash.analyse': {
    input: z.object({ server_id: id, path }),
    output: z.strictObject({
      findings: z.array(finding).max(max_findings),
      /** Paths that were read; null is the console. */
      read: z.array(z.string().nullable()),
    }),
    limit: 'calls',
    answered_by: 'agent',
  },
  /** Stores the log without secrets and addresses. Without `path` it is the newest crash report, or the log, or the console. */
  'logs.share': {
    input: z.object({ server_id: id, path, lifetime: z.enum(logLifetimeIds) }),
    output: z.strictObject({ log: sharedLogView, logs }),
    limit: 'calls',
    answered_by: 'agent',
  },
  'logs.list': { input: z.object({ server_id: id }), output: z.strictObject({ logs }), limit: 'calls' },
  'logs.remove': {
    input: z.object({ server_id: id, log_id: z.string().max(40) }),
    output: z.strictObject({ logs }),
    limit: 'calls',
  },
} as const satisfies RequestMap<never>;
