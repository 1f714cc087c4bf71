import { atom } from 'nanostores';
import { type Mutation, mutate } from '../../../platform/browser/mutate.ts';

/** The actions of a page, each once at a time: `$waiting` has the key of every one under way. `act` gives whether it was done. */
export function panelActions() {
  const $waiting = atom<readonly string[]>([]);
  async function act<T>(key: string, mutation: Mutation<T>): Promise<boolean> {
    if ($waiting.get().includes(key)) return false;
    $waiting.set([...$waiting.get(), key]);
    const { ok } = await mutate({ repeatable: true, ...mutation });
    $waiting.set($waiting.get().filter((one) => one !== key));
    return ok;
  }
  return { $waiting, act };
}
