import { createHash } from 'node:crypto';
import { archives, extensionOf } from '../../platform/files/rules.ts';
import type { ByteSource } from '../../platform/storage/storage.ts';
import { rules_version, scanLimits, severities, severityOf } from './rules.ts';
import { type Findings, type PackFile, scanArchive, type Trace } from './scan-archive.ts';

/** The result of a scan. */
export interface ScanResult {
  rules_version: number;
  /** The gravest first, at most `scanLimits.traces`. */
  traces: Trace[];
  /** Whether everything was read and every trace is in the list. What is not complete is never called safe. */
  complete: boolean;
  /** What a modpack contains and lists, each hash once. */
  pack_files: PackFile[];
  classes: number;
  /** Unpacked bytes. */
  bytes: number;
}

/**
 * Scans a file that was uploaded. `known_bad` has SHA-512 hashes in hexadecimal, of files and of what is in them. Files that are no
 * archives (signatures) are only compared with those.
 */
export async function scanFile(
  { content, filename }: { content: ByteSource; filename: string },
  known_bad: ReadonlySet<string> = new Set(),
): Promise<ScanResult> {
  const traces = new Map<string, Trace>();
  const counts = new Map<string, number>();
  const pack_files = new Map<string, PackFile>();
  const found: Findings = {
    add(trace) {
      const slot = `${trace.key} ${trace.jar} ${trace.file_path}`;
      if (traces.has(slot)) return;
      const count = (counts.get(trace.issue_type) ?? 0) + 1;
      counts.set(trace.issue_type, count);
      if (count <= scanLimits.traces_per_type) traces.set(slot, trace);
      else if (trace.severity !== 'low') found.complete = false;
    },
    addPackFile(file) {
      if (pack_files.size < scanLimits.pack_files) pack_files.set(file.sha1, file);
    },
    classes: 0,
    bytes: 0,
    entries: 0,
    complete: true,
  };
  if (known_bad.size > 0) {
    const hash = await hashOf(content);
    if (known_bad.has(hash))
      found.add({
        issue_type: 'known_malware',
        severity: severityOf('known_malware'),
        key: createHash('sha256').update(`known_malware\n${hash}`).digest('hex'),
        jar: '',
        file_path: '',
        disassembly: '',
        data: { values: [hash] },
      });
  }
  if (archives.includes(extensionOf(filename)))
    await scanArchive({ content, filename, jar: '', depth: 0 }, known_bad, found);
  const sorted = [...traces.values()].sort(
    (a, b) => severities.indexOf(b.severity) - severities.indexOf(a.severity),
  );
  return {
    rules_version,
    traces: sorted.slice(0, scanLimits.traces),
    complete: found.complete && sorted.length <= scanLimits.traces,
    pack_files: [...pack_files.values()],
    classes: found.classes,
    bytes: found.bytes,
  };
}

const piece = 1024 * 1024;

async function hashOf(content: ByteSource): Promise<string> {
  const bytes = await content.open();
  try {
    const hash = createHash('sha512');
    for (let at = 0; at < bytes.size; at += piece) hash.update(await bytes.readAt(at, piece));
    return hash.digest('hex');
  } finally {
    await bytes.close();
  }
}
