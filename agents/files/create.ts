import type { OperationInput } from '#control/protocol/agent.ts';
import type { Access } from './access.ts';
import { place } from './place.ts';

/** Mode of new files. */
export const file_mode = 0o644;

/** Creates an empty file or a folder. Refuses `file_exists`. */
export async function createEntry(
  access: Access,
  { path, type }: OperationInput<'file_create'>,
): Promise<Record<never, never>> {
  const { tree } = access;
  await tree.atNew(path, async (folder, name) => {
    if (type === 'directory') return await folder.newFolder(name, tree.uid);
    await tree.scratch(async (scratch) => {
      await (await scratch.newFile('new')).close();
      await scratch.give('new', tree.uid, file_mode);
      const from = { folder: scratch, name: 'new', directory: false };
      await access.exclusively(() => place(access, from, { folder, name, path }, 'refuse'));
    });
  });
  return {};
}
