import { createHash } from 'node:crypto';
import { Refused } from '../../platform/errors.ts';
import { isOverride, readModpackIndex } from '../../platform/files/mrpack.ts';
import { extensionOf } from '../../platform/files/rules.ts';
import { type Archive, withArchive } from '../../platform/files/zip.ts';
import type { ByteSource } from '../../platform/storage/storage.ts';
import { ClassFileError } from './class-file.ts';
import { type archiveRules, type IssueType, type Severity, scanLimits, severityOf } from './rules.ts';
import { scanClass } from './scan-class.ts';

/** What was found in a file. */
export interface Trace {
  issue_type: IssueType;
  severity: Severity;
  /** The same for the same code, whatever file it is in; 64 hexadecimal digits. */
  key: string;
  /** Path of the archive in the archives around it; empty for the file itself. */
  jar: string;
  /** Path of the entry, and for code its method after a `#`. */
  file_path: string;
  /** What the code does, at most 4,096 characters; empty for what is no code. */
  disassembly: string;
  data: { values?: string[]; reason?: string };
}

/** A file in a modpack, or one that its index lists. */
export interface PackFile {
  path: string;
  sha1: string;
}

/** What the scan of one archive adds to; shared with the archives in it. */
export interface Findings {
  add(trace: Trace): void;
  /** A file that a modpack contains or lists. */
  addPackFile(file: PackFile): void;
  classes: number;
  bytes: number;
  /** Names in the archive and those in it. */
  entries: number;
  /** False once something could not be read. */
  complete: boolean;
}

interface Scanned {
  content: ByteSource;
  filename: string;
  /** Path in the archives around it. */
  jar: string;
  depth: number;
}

type ArchiveType = (typeof archiveRules)[number]['type'];
const archiveExtensions = ['jar', 'zip', 'litemod', 'mrpack'];
const nativeExtensions = ['dll', 'so', 'dylib', 'jnilib', 'exe'];

/** Scans an archive and the archives in it. What cannot be read becomes a trace, and the findings are not complete. */
export async function scanArchive(
  scanned: Scanned,
  bad: ReadonlySet<string>,
  found: Findings,
): Promise<void> {
  // it is known already that the file is not read whole
  if (found.entries > scanLimits.entries) return;
  const { content, filename, jar } = scanned;
  const add = adder(found, jar);
  try {
    await withArchive({ content, filename, verified: false }, async (archive) => {
      found.entries += archive.names.length;
      if (found.entries > scanLimits.entries) throw new Refused('archive_too_many_entries');
      checkNames(archive, add);
      const isPack = scanned.depth === 0 && filename.endsWith('.mrpack');
      if (isPack) await readPack(archive, found);
      for (const name of archive.names) await scanEntry({ archive, name, bad, add, found, scanned, isPack });
    });
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    found.complete = false;
    add('unreadable', { reason: error.code, path: '' });
  }
}

/** Whether an archive is damaged or hostile; a file that is gone says nothing. */
const isUnreadable = (error: unknown): error is Refused =>
  error instanceof Refused && error.code !== 'not_found';

type Add = (
  type: ArchiveType,
  about: { path: string; reason?: string; values?: string[]; key?: string },
) => void;

/** Traces about entries: their key stands for the finding in this place, or for the bytes it is about. */
const adder =
  (found: Findings, jar: string): Add =>
  (issue_type, { path, reason, values, key }) =>
    found.add({
      issue_type,
      severity: severityOf(issue_type),
      key: createHash('sha256')
        .update(`${issue_type}\n${key ?? `${jar}\n${path}\n${reason ?? ''}`}`)
        .digest('hex'),
      jar,
      file_path: path.slice(0, 1024),
      disassembly: '',
      data: { ...(reason && { reason }), ...(values && { values: values.slice(0, 10) }) },
    });

/** Names that differ by nothing one sees, and class names that nobody can read. */
function checkNames({ names }: Archive, add: Add): void {
  const seen = new Map<string, string>();
  let tricks = 0;
  for (const name of names) {
    const plain = name.replace(/[\p{Cc}\p{Cf}]/gu, '');
    const folded = plain.normalize('NFKC').toLowerCase().replace(/\/$/, '');
    const other = seen.get(folded);
    seen.set(folded, name);
    // obfuscated classes are often named a.class and A.class; programs and folders are not
    const isClassPair =
      other !== undefined && plain === name && name.endsWith('.class') && other.endsWith('.class');
    const isTrick =
      plain !== name ||
      (other !== undefined && !isClassPair && other.replace(/\/$/, '') !== name.replace(/\/$/, '')) ||
      /\.class\/$/.test(name);
    if (isTrick && tricks++ < scanLimits.traces_per_type)
      add('name_trick', { path: name, values: other === undefined ? [name] : [name, other] });
  }
  const classes = names
    .filter((name) => name.endsWith('.class'))
    .map((name) => name.slice(name.lastIndexOf('/') + 1, -6));
  const unreadable = classes.filter((name) =>
    /^(?:[Il1|]{5,}|[O0o]{5,}|[\s\p{M}\p{Cf}\p{Co}]+|(?:do|if|int|for|new|try|goto|char|byte|null|true|void|this|case|else)\w{0,1})$/u.test(
      name,
    ),
  );
  if (unreadable.length >= 5 && unreadable.length * 4 >= classes.length)
    add('obfuscated_names', {
      path: '',
      values: unreadable.slice(0, 10),
      key: `${unreadable.length}\n${unreadable.slice(0, 10).join('\n')}`,
    });
}

interface Entry {
  archive: Archive;
  name: string;
  bad: ReadonlySet<string>;
  add: Add;
  found: Findings;
  scanned: Scanned;
  isPack: boolean;
}

/** Lists what the index of a modpack names; one that cannot be read was refused at the upload. */
async function readPack(archive: Archive, found: Findings): Promise<void> {
  const index = await readModpackIndex(archive, null);
  if (!index || 'code' in index) return;
  for (const { path, hashes } of index.files)
    if (/^[0-9a-fA-F]{40}$/.test(hashes.sha1)) found.addPackFile({ path, sha1: hashes.sha1.toLowerCase() });
}

async function scanEntry(entry: Entry): Promise<void> {
  const { archive, name, add, found } = entry;
  const isFolder = name.endsWith('/');
  if (isFolder && archive.size(name) === 0) return;
  const fail = (reason: string) => {
    found.complete = false;
    add('unreadable', { path: name, reason });
  };
  try {
    // Java takes a class from a folder of its name
    if (isFolder) add('name_trick', { path: name, values: [name] });
    if (!(await archive.headerAgrees(name))) add('header_mismatch', { path: name });
    const extension = extensionOf(isFolder ? name.slice(0, -1) : name);
    if (extension === 'class') return await scanCode(entry, fail);
    if (archiveExtensions.includes(extension)) return await scanNested(entry, fail);
    await scanOther(entry, extension, fail);
  } catch (error) {
    if (isUnreadable(error)) fail(error.code);
    else if (error instanceof ClassFileError) fail('class_unreadable');
    else if (error instanceof RangeError)
      fail('class_unreadable'); // a length beyond the end of the bytes
    else throw error;
  }
}

type Fail = (reason: string) => void;

/** The content of an entry, as long as the scan may read more; null when it may not. */
async function contentOf({ archive, name, found }: Entry, limit: number, fail: Fail): Promise<Buffer | null> {
  found.bytes += archive.size(name);
  if (archive.size(name) <= limit && found.bytes <= scanLimits.total_bytes)
    return (await archive.read(name, limit))!;
  fail('too_large');
  return null;
}

async function scanNested(entry: Entry, fail: Fail): Promise<void> {
  const { name, found, scanned } = entry;
  if (scanned.depth >= scanLimits.depth) return fail('too_deep');
  const bytes = await contentOf(entry, scanLimits.nested_bytes, fail);
  if (!bytes) return;
  checkHash(entry, bytes);
  if (entry.isPack && isOverride(name))
    found.addPackFile({ path: name, sha1: createHash('sha1').update(bytes).digest('hex') });
  const jar = scanned.jar ? `${scanned.jar}!${name}` : name;
  await scanArchive(
    { content: inMemory(bytes), filename: name, jar, depth: scanned.depth + 1 },
    entry.bad,
    found,
  );
}

async function scanCode(entry: Entry, fail: Fail): Promise<void> {
  const { name, found, scanned } = entry;
  found.classes++;
  const bytes = await contentOf(entry, scanLimits.class_bytes, fail);
  if (!bytes) return;
  checkHash(entry, bytes);
  for (const { place, values, ...trace } of scanClass(bytes)) {
    const method = place.slice(place.lastIndexOf('.') + 1);
    found.add({
      ...trace,
      jar: scanned.jar,
      file_path: `${name}#${method}`.slice(0, 1024),
      data: { values },
    });
  }
}

/** Everything else by its first bytes, whatever it is called: a loader may take it for a class, an archive or a program. */
async function scanOther(entry: Entry, extension: string, fail: Fail): Promise<void> {
  const { archive, name, add } = entry;
  const head = await archive.head(name, 64);
  if (head.length >= 30 && head.readUInt32BE(0) === 0x504b0304) return await scanNested(entry, fail);
  if (head.length >= 8 && head.readUInt32BE(0) === 0xcafebabe && head.readUInt16BE(6) >= 45) {
    add('disguised_program', { path: name, reason: 'class' });
    return await scanCode(entry, fail);
  }
  const kind = programOf(head);
  if (kind === null) return;
  if (entry.bad.size > 0) {
    const bytes = await contentOf(entry, scanLimits.nested_bytes, fail);
    if (bytes) checkHash(entry, bytes);
  }
  const key = `${name}\n${archive.size(name)}\n${archive.checksum(name)}`;
  if (nativeExtensions.includes(extension)) add('native_library', { path: name, reason: kind, key });
  else add('disguised_program', { path: name, reason: kind, key });
}

/** What runs these bytes: Windows, Linux, macOS; null for none. */
function programOf(head: Buffer): 'windows' | 'linux' | 'macos' | null {
  if (head.length < 20) return null;
  if (head.toString('latin1', 0, 2) === 'MZ' && head.length >= 64) return 'windows';
  if (head.toString('latin1', 0, 4) === '\x7fELF') return 'linux';
  const word = head.readUInt32BE(0);
  if (word === 0xcffaedfe || word === 0xcefaedfe) return 'macos';
  // a universal program counts its parts where a class file has its version
  return word === 0xcafebabe && head.readUInt32BE(4) < 45 ? 'macos' : null;
}

function checkHash({ name, bad, add }: Entry, bytes: Buffer): void {
  if (bad.size === 0) return;
  const hash = createHash('sha512').update(bytes).digest('hex');
  if (bad.has(hash)) add('known_malware', { path: name, values: [hash], key: hash });
}

const inMemory = (bytes: Buffer): ByteSource => ({
  open: async () => ({
    size: bytes.length,
    readAt: async (position, length) => bytes.subarray(position, position + length),
    close: async () => {},
  }),
});
