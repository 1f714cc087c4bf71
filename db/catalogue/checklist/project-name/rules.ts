/** What the checklist reads in names. The lists are compared with the tags in a test, so that browsers need not load these. */

/** Loaders whose names mean nothing else in the name of a project. */
const loader_names =
  /(?<![\p{L}\d])(?:babric|bta[- ]babric|bukkit|bungee(?:cord)?|craftbukkit|datapack|data pack|fabric|folia|(?:neo|legacy[- ])?forge|java[- ]agent|legacy[- ]fabric|liteloader|lite loader|modloader|mod loader|mrpack|nilloader|optifine|ornithe|paper(?:mc)?|purpur|quilt|spigot(?:mc)?|waterfall ?mc|legacy fabric)(?![\p{L}\d])/iu;
/** Words of the language, too: only said of a loader, as in "for Sponge", "[Iris]" and "Velocity edition". */
const words = 'canvas|iris|minecraft|rift|sponge|vanilla|velocity|waterfall';
const said_of_loader = new RegExp(
  `(?:\\bfor |[([|–—-] ?)(?:${words})(?:$|[)\\]|,+/ ])|^\\[?(?:${words})\\]?$|\\b(?:${words}) (?:edition|version|port)\\b`,
  'iu',
);

/** A number of a version, of the game (1.21.4, 26.1, 26w13a, b1.7.3) or of its own (v2.0). */
const version =
  /^(?:v|mc|[abc]|rd-|in-|inf-)?(?:\d+\.(?:\d|x|rv)(?:[-_.~]?[a-z0-9])*|\d\dw\d\d[\w~]*|\d{6,8}(?:-\d+)?)$/iu;
/** Pictures have so many dimensions. */
const dimensions = /^[1-9]\.5d$/iu;

/** Whether a name says for which loader or game version something is, or which version it is. */
export const namesTechnical = (title: string): boolean =>
  loader_names.test(title) ||
  said_of_loader.test(title) ||
  title
    .split(/[\s()[\]{}|:;,/+–—"“”]+/u)
    .some((word) => version.test(word.replace(/^-+|(?<![-.])[-.]+$/gu, '')) && !dimensions.test(word));

/** Whether a name has the name of the game in it. */
export const namesGame = (title: string): boolean => /(?<!\p{L})(?:minecraft|mojang)/iu.test(title);
