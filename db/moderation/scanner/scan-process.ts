import { setPriority } from 'node:os';
import { Refused } from '../../platform/errors.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { storedSource } from '../../platform/storage/stored-source.ts';
import { scanFile } from './scan-file.ts';
import type { ScanReport, ScanTask } from './scan-task.ts';

/**
 * The scanner's process: takes files one after the other, at low priority. Whatever a hostile file does to it happens here;
 * its parent ends it when a scan takes too long. It exits when its parent does.
 */
setPriority(10);
process.on('disconnect', () => process.exit(0));
process.on('message', (task: ScanTask) => {
  void scan(task).then((report) => process.send?.(report));
});

async function scan({ settings, key, filename, known_bad }: ScanTask): Promise<ScanReport> {
  try {
    const content = storedSource(openStorage(settings), key);
    const result = await scanFile({ content, filename }, new Set(known_bad));
    return { result, memory_bytes: process.memoryUsage.rss() };
  } catch (error) {
    const missing = error instanceof Refused && error.code === 'not_found';
    return { failed: missing ? 'missing' : 'error', message: (error as Error).message };
  }
}
