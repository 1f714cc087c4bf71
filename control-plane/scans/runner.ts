import { writeStaffNotice } from '#content/staff-notices.ts';
import { reviewWords } from '#content/technical-review.ts';
import { type DueScan, isGivenUp, storeFailure, takeScans } from '#db/catalogue/scans/claim.ts';
import { lockProject } from '#db/catalogue/versions/write.ts';
import type { AppContext } from '#db/context.ts';
import { notifyStaff } from '#db/messages/staff-notices/write.ts';
import { ScanFailed, type Scanner } from '#db/moderation/scanner/scanner.ts';
import { settleUnread } from '#db/moderation/technical-review/hold-unread.ts';
import { knownMalware } from '#db/moderation/technical-review/read.ts';
import { storeScan } from '#db/moderation/technical-review/store.ts';
import { versionFileKey } from '#db/platform/storage/url.ts';
import type { OutboxSender } from '../outbox/outbox-sender.ts';

/** One at a time, so that accounts take turns with each file: two of one account would go ahead of everybody. */
const batch = 1;

/**
 * Scans the file whose turn it is, and stores what was found. A scan that fails is tried again; after the
 * third time staff hear of it. `onScanned` hears how many seconds a new file waited for its result.
 */
export function createScanRunner(
  { settings, sql, log, now, sealer }: Pick<AppContext, 'settings' | 'sql' | 'log' | 'now' | 'sealer'>,
  scanner: Scanner,
  onScanned: (waited_s: number) => void = () => {},
): OutboxSender {
  const notifying = { settings, sealer, write: writeStaffNotice };
  const announcing = { ...notifying, words: reviewWords };

  async function scan(due: DueScan, known_bad: string[]): Promise<void> {
    const { file_id, version_id, project_id, filename } = due;
    const began = performance.now();
    const key = versionFileKey(project_id, version_id, filename);
    try {
      if (isGivenUp(due)) throw new ScanFailed('crashed', 'The process that scanned it ended.');
      const result = await scanner.scan({ settings, key, filename, known_bad });
      await sql.begin((tx) => storeScan(tx, due, result, { announcing, now: now() }));
      const [gravest] = result.traces;
      const { complete, classes } = result;
      const took_ms = Math.round(performance.now() - began);
      if (due.is_first) onScanned((now().getTime() - Date.parse(due.requested)) / 1000);
      log.info({ file_id, took_ms, complete, classes, severity: gravest?.severity }, 'File scanned');
    } catch (error) {
      const problem = error instanceof ScanFailed ? error.problem : 'error';
      log.warn({ err: error, file_id, problem, attempts: due.attempts }, 'File could not be scanned');
      const is_last = await storeFailure(sql, due, { problem, now: now() });
      if (!is_last || problem === 'missing') return;
      const notice = { kind: 'scan_failed', key: `scan ${file_id}`, data: { project_id, filename } } as const;
      await sql.begin(async (tx) => {
        await lockProject(tx, project_id);
        await settleUnread(tx, { version_id, project_id }, { announcing, now: now() });
        await notifyStaff(tx, notifying, notice, now());
      });
    }
  }

  return {
    batch,
    async step() {
      const due = await takeScans(sql, now(), batch);
      const known_bad = due.length > 0 ? await knownMalware(sql) : [];
      for (const file of due) await scan(file, known_bad);
      return { taken: due.length, is_server_away: false };
    },
  };
}
