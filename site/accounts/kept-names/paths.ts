import { keptKinds } from '#db/platform/names/rules.ts';

/** The staff's list of kept names. */
export const namesPath = '/admin/names';

/** The same, searched for one name. */
export function namePath({ kind, name }: { kind?: unknown; name?: unknown }): string {
  const known = keptKinds.find((one) => one === kind);
  if (!known || typeof name !== 'string' || name === '') return namesPath;
  return `${namesPath}?${new URLSearchParams({ kind: known, q: name.slice(0, 100) })}`;
}
