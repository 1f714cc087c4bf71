import { atom } from 'nanostores';
import { type Flag, type Flags, flagDefaults, parseFlags, storedFlags } from './flags.ts';

const name = 'flags';

/** Local storage may be disabled: then flags last as long as the page. */
function stored(): string | null {
  try {
    return globalThis.localStorage?.getItem(name) ?? null;
  } catch {
    return null;
  }
}

function store(flags: Flags): void {
  try {
    globalThis.localStorage?.setItem(name, storedFlags(flags));
  } catch {} // the page works without storage
}

/** The flags of this browser, the same in all its tabs; the defaults on the server. */
export const $flags = atom<Flags>(parseFlags(stored()));

/** Changes one flag and stores it. Keeps changes from other tabs. */
export function switchFlag(flag: Flag, on: boolean): void {
  const flags = { ...parseFlags(stored() ?? storedFlags($flags.get())), [flag]: on };
  store(flags);
  $flags.set(flags);
}

/** Resets all flags to their defaults. */
export function resetFlags(): void {
  store(flagDefaults);
  $flags.set({ ...flagDefaults });
}

if (typeof window !== 'undefined')
  addEventListener('storage', ({ key, newValue }) => {
    if (key === name || key === null) $flags.set(parseFlags(newValue));
  });
