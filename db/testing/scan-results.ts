import { randomBytes } from 'node:crypto';
import { rules_version } from '../moderation/scanner/rules.ts';
import type { Trace } from '../moderation/scanner/scan-archive.ts';
import type { ScanResult } from '../moderation/scanner/scan-file.ts';
import type { Announcing } from '../moderation/technical-review/hold.ts';
import { parseSettings } from '../platform/runtime/env.ts';
import { createSealer } from '../platform/secrets/seal.ts';

/** A trace as the scanner finds it; a new key unless one is given. */
export const trace = (given: Partial<Trace> = {}): Trace => ({
  issue_type: 'chat_webhook',
  severity: 'severe',
  key: randomBytes(32).toString('hex'),
  jar: '',
  file_path: 'com/example/Example.class#run',
  disassembly: 'ldc_w "https://discord.com/api/webhooks/1/x"\nreturn',
  data: { values: ['https://discord.com/api/webhooks/1/x'] },
  ...given,
});

export const scanned = (
  traces: Trace[],
  { complete = true, pack_files = [] }: Partial<Pick<ScanResult, 'complete' | 'pack_files'>> = {},
): ScanResult => ({
  ...{ rules_version, traces, complete, pack_files },
  classes: 1,
  bytes: 100,
});

/** Tells teams and staff in words for tests. */
export const announcing: Announcing = {
  settings: parseSettings({}),
  sealer: createSealer(randomBytes(32)),
  write: ({ kind }) => ({ title: kind, text: kind, path: '/' }),
  words: {
    held: ({ version_number, issue_types }) => `held ${version_number}: ${issue_types.join(', ')}`,
    unread: (number) => `unread ${number}`,
    attribution: (files) => `attribution ${files.join(', ')}`,
    released: (numbers) => `released ${numbers.join(', ')}`,
  },
};
