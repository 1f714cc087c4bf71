const pattern = /^[a-z][a-z0-9_]{1,63}$/;
/** Ids that a loader, the game or Java has itself. */
const taken = new Set(
  'minecraft java forge neoforge fml mcp fabricloader fabric quilt_loader quilt_base quilt_resource_loader'.split(
    ' ',
  ),
);

/**
 * The id of the mod that a project's pack becomes, by the strictest rule of the four loaders: 2 to 64 of a-z, 0-9 and _,
 * beginning with a letter. It stays the same from version to version, because saves and other mods refer to it.
 */
export function modIdOf(slug: string): string {
  const plain = slug
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '_')
    .slice(0, 59);
  return pattern.test(plain) && !taken.has(plain) ? plain : `pack_${plain}`;
}
