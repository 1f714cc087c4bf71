import { exchange, revert } from '../content/exchange.ts';
import { planExchange } from '../content/plan.ts';
import { changesOf, inChange, inNewChange, loadManifest, saveManifest } from '../files/content-changes.ts';
import { Tree } from '../files/tree.ts';

export type ExchangeMode = 'apply' | 'undo' | 'settle';
const id = '00000000-0000-4000-8000-000000000001';
const now = 1_000;

/** Exchanges files, reverts that, or settles what was interrupted; `before` is called with the number of each step. Gives how many there are. */
export async function exchangeFiles(
  root: string,
  uid: number,
  mode: ExchangeMode,
  before: (step: number) => void = () => {},
): Promise<number> {
  let steps = 0;
  const onStep = (): void => before(steps++);
  await Tree.use(root, uid, async (tree) => {
    if (mode === 'apply') await inNewChange(tree, id, (folder) => apply({ tree, folder, now, onStep }));
    else if (mode === 'undo') await inChange(tree, id, (folder) => revert({ tree, folder, now, onStep }));
    else
      for (const { state } of await changesOf(tree))
        if (state && state.phase !== 'done' && state.phase !== 'undone')
          await inChange(tree, id, async (folder) => {
            if (await loadManifest(folder)) await revert({ tree, folder, now, onStep });
          });
  });
  return steps;
}

async function apply(context: Parameters<typeof exchange>[0]): Promise<void> {
  const { tree, folder } = context;
  for (const index of [0, 1, 2]) {
    const handle = await folder.newFile(`new-${index}`);
    await handle.writeFile(`new ${index}`);
    await handle.close();
  }
  const add = ['mods/sky.jar', 'mods/new.jar', 'config/deep/er/new.toml'];
  const staged = add.map((path, index) => ({ path, slot: `new-${index}` }));
  const move = [{ from: 'mods/axe.jar', to: 'mods/axe.jar.disabled' }];
  const manifest = await planExchange(tree, staged, { add: [], move, remove: ['mods/old.jar'] });
  await saveManifest(folder, manifest);
  const state = { phase: 'taking', number: 1, at: now, added: 3, moved: 1, removed: 1 } as const;
  await exchange(context, manifest, state);
}
