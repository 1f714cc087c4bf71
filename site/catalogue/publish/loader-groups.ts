import type { PublishPage } from './publish.store.ts';

type Groups = PublishPage['loader_groups'];

/**
 * The loaders that a version may be for: `own` are those of the project's kinds and those that are chosen, `others` the rest. A
 * modpack has only those that packs can be for.
 */
export function loaderGroupsOf(
  { loader_groups, pack_loaders }: Pick<PublishPage, 'loader_groups' | 'pack_loaders'>,
  chosen: readonly string[],
  isPack: boolean,
): { own: Groups; others: Groups } {
  if (isPack) {
    const own = loader_groups.map((group) => ({
      ...group,
      loaders: group.loaders.filter(({ name }) => pack_loaders.includes(name)),
    }));
    return { own: own.filter(({ loaders }) => loaders.length > 0), others: [] };
  }
  const isOwn = ({ fits, loaders }: Groups[number]) =>
    fits || loaders.some(({ name }) => chosen.includes(name));
  const own = loader_groups.filter(isOwn);
  // a modpack whose file is none: any kind may be meant
  return own.length === 0
    ? { own: loader_groups, others: [] }
    : { own, others: loader_groups.filter((group) => !isOwn(group)) };
}

/** What a new version is for when its project leaves no choice, as a resource pack does. */
export function onlyLoader({ loader_groups }: Pick<PublishPage, 'loader_groups'>): string[] {
  const names = loader_groups.filter(({ fits }) => fits).flatMap(({ loaders }) => loaders);
  return names.length === 1 ? names.map(({ name }) => name) : [];
}
