import { lutimes } from 'node:fs/promises';
import type { z } from 'zod';
import type { fileQueries } from '#control/protocol/files.ts';
import type { Access } from './access.ts';
import { namesOf } from './file-error.ts';

type SetModified = (typeof fileQueries)['set_modified'];

/** Sets when something was changed last, of a link its own time. Refuses `file_not_found`. */
export async function setModified(
  { tree }: Pick<Access, 'tree'>,
  { path, modified }: z.output<SetModified['input']>,
): Promise<z.output<SetModified['output']>> {
  const at = modified / 1000;
  if (namesOf(path).length === 0) await lutimes(tree.root.at('.'), at, at);
  else await tree.at(path, (folder, name) => lutimes(folder.at(name), at, at));
  return {};
}
