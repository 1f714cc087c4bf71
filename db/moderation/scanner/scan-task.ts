import type { Settings } from '../../platform/runtime/env.ts';
import type { ScanResult } from './scan-file.ts';

/** What the scanner's process is told: one file in the storage. */
export interface ScanTask {
  settings: Pick<Settings, 'DATA_DIR'>;
  key: string;
  filename: string;
  /** SHA-512 hashes of files that are known to be malware. */
  known_bad: string[];
}

/** What it reports. */
export type ScanReport =
  | { result: ScanResult; memory_bytes: number }
  | { failed: 'missing' | 'error'; message: string };
