import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { list } from '#agents/files/list.ts';
import { Tree } from '#agents/files/tree.ts';
import { median, seconds } from '../measure.ts';
import { type Row, ratioAtMost } from '../report.ts';

const count = 10_000;
const rounds = 15;
const page = { path: 'many', descending: false, show: 'all', from: 0, limit: 500 } as const;

/**
 * A page of a folder with 10,000 files as an agent reads it, by size, which looks at every file, and by name, against `readdir` with
 * an `lstat` of every file. In this process, in turns.
 */
export async function measureListing(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-bench-listing-'));
  const many = join(folder, page.path);
  mkdirSync(many);
  for (let number = 0; number < count; number++) writeFileSync(join(many, `file ${number}.json`), '{}');
  const times = { bytes: [] as number[], name: [] as number[], bare: [] as number[] };
  const ours = async (sort: 'bytes' | 'name') => {
    const { total } = await Tree.use(folder, 0, (tree) => list(tree, { ...page, sort }));
    if (total !== count) throw new Error(`${total} files were listed`);
  };
  const bare = async () => {
    const names = await readdir(many);
    await Promise.all(names.map((name) => lstat(join(many, name))));
  };
  try {
    for (let round = 0; round < rounds; round++) {
      times.bare.push(await seconds(bare));
      times.bytes.push(await seconds(() => ours('bytes')));
      times.name.push(await seconds(() => ours('name')));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const shown = (time: number) => `${(time * 1000).toFixed(0)} ms`;
  return (['bytes', 'name'] as const).map((sort) => {
    const [is, was] = [median(times[sort]), median(times.bare)];
    const name = `list of 10,000 files by ${sort === 'bytes' ? 'size' : 'name'}`;
    const baseline = `readdir with lstat ${shown(was)}`;
    return ratioAtMost(3, { name, ratio: is / was, ours: shown(is), baseline });
  });
}
