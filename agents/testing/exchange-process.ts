import { changesOf, inChange, inNewChange, loadManifest, saveManifest } from '../content/changes.ts';
import { exchange, revert } from '../content/exchange.ts';
import { planExchange } from '../content/plan.ts';
import { Tree } from '../files/tree.ts';

/**
 * Exchanges or reverts files as a process of its own that is killed before its step of that number: `exchange-process.ts
 * FOLDER UID apply|undo|settle STEP`. Without that step it prints how many there are.
 */
const [, , root = '', uid = '', mode = '', last = ''] = process.argv;
const id = '00000000-0000-4000-8000-000000000001';
const now = 1_000;
let steps = 0;
const onStep = (): void => {
  if (steps++ === Number(last || Number.NaN)) process.kill(process.pid, 'SIGKILL');
};

await Tree.use(root, Number(uid), async (tree) => {
  if (mode === 'apply')
    await inNewChange(tree, id, async (folder) => {
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
      await exchange({ tree, folder, now, onStep }, manifest, state);
    });
  else if (mode === 'undo') await inChange(tree, id, (folder) => revert({ tree, folder, now, onStep }));
  else
    for (const { state } of await changesOf(tree))
      if (state && state.phase !== 'done' && state.phase !== 'undone')
        await inChange(tree, id, async (folder) => {
          if (await loadManifest(folder)) await revert({ tree, folder, now, onStep });
        });
});
console.log(steps);
