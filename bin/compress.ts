import { readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const texts = /\.(html|css|js|mjs|svg|json|xml|txt|webmanifest)$/;
/** Smaller files fit into one packet anyway. */
export const least_bytes = 1024;

/** Writes a `.br` and a `.gz` beside every text file of a built folder, so that serving them needs no compression. */
export async function compress(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile() && texts.test(one.name))
    .map((one) => join(one.parentPath, one.name));
  await Promise.all(files.map(compressOne));
}

async function compressOne(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < least_bytes) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}
