/** Adjacent versions with the same changelog, and that changelog as HTML. */
export interface ChangelogEntry<V> {
  versions: V[];
  changelog: string;
}

/** The entries of a changelog: a text repeated by adjacent versions is shown once. Source: screens §A.4. */
export function groupChangelogs<V extends { id: string }>(
  versions: readonly V[],
  changelogs: ReadonlyMap<string, string>,
): Array<ChangelogEntry<V>> {
  const entries: Array<ChangelogEntry<V>> = [];
  for (const version of versions) {
    const changelog = changelogs.get(version.id) ?? '';
    const last = entries.at(-1);
    if (last?.changelog === changelog) last.versions.push(version);
    else entries.push({ versions: [version], changelog });
  }
  return entries;
}
