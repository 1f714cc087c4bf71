import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** A zip of these files; names may be such as its writer refuses, and `link` makes an entry a link. */
export async function zipOf(files: Record<string, string | { link: string }>): Promise<Buffer> {
  const zip = new ZipFile();
  // a name of the same length that is allowed, and what it becomes
  const forged: [string, string][] = [];
  for (const [name, content] of Object.entries(files)) {
    const allowed = name.replaceAll('..', '__');
    if (allowed !== name) forged.push([allowed, name]);
    if (typeof content === 'string') zip.addBuffer(Buffer.from(content), allowed);
    else zip.addBuffer(Buffer.from(content.link), allowed, { mode: 0o120777 });
  }
  zip.end();
  const made = await buffer(zip.outputStream);
  const text = forged.reduce((all, [from, to]) => all.replaceAll(from, to), made.toString('latin1'));
  return Buffer.from(text, 'latin1');
}
