/** Keys and values of a server.properties file; unknown keys are preserved. */
export type Properties = Record<string, string>;

/** Defaults of a new server: small and fast, since demo and tests start it often. Players need no account. */
export const defaults: Properties = {
  motd: 'A Cairn test server',
  'server-port': '25565',
  'max-players': '20',
  'online-mode': 'false',
  gamemode: 'creative',
  difficulty: 'easy',
  'level-name': 'world',
  'level-type': 'default',
  'level-seed': '',
  'view-distance': '4',
};

/**
 * Reads `key=value` lines as Java does: `:` may stand in place of `=`, the last of two lines counts, `\\u00e9` is a letter.
 * Comments, empty lines and lines without a value are ignored.
 */
export function parse(text: string): Properties {
  const found: Properties = {};
  for (const line of text.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^=:]*)[=:](.*)$/s.exec(line) ?? [];
    if (/^\s*[^#!\s]/.test(name)) found[unescaped(name.trim())] = unescaped(value.trim());
  }
  return found;
}

/** The same file with another value of `white-list`; every other line stays. */
export function withWhitelist(text: string, on: boolean): string {
  const line = `white-list=${on}`;
  const own = /^[ \t]*white-list[ \t]*[=:].*$/gm;
  if (own.test(text)) return text.replace(own, line);
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
}

const letters: Record<string, string> = { n: '\n', t: '\t', r: '\r', f: '\f' };
const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-f]{4})|(.))/gi, (_, code: string | undefined, letter = '') =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (letters[letter] ?? letter),
  );

export const format = (properties: Properties): string =>
  [
    '# Minecraft server properties',
    ...Object.entries(properties).map(([key, value]) => `${key}=${value}`),
    '',
  ].join('\n');

export const gameModes = ['survival', 'creative', 'adventure', 'spectator'];
const difficulties = ['peaceful', 'easy', 'normal', 'hard'];
const place = (names: string[], text: string | undefined, fallback: number): number => {
  const at = names.indexOf(text ?? '');
  return at >= 0 ? at : whole(text, 0, names.length - 1, fallback);
};
const whole = (text: string | undefined, least: number, most: number, fallback: number): number => {
  const number = Number(text || Number.NaN);
  return Number.isInteger(number) && number >= least && number <= most ? number : fallback;
};

/** Settings of flying-squid for a server.properties; invalid values fall back to `defaults`. */
export function settingsOf(properties: Properties, version: string, data_dir: string) {
  const given = { ...defaults, ...properties };
  const level = /^[\w .-]{1,64}$/.test(given['level-name'] ?? '') && !/^\.+$/.test(given['level-name']!);
  const seed = whole(given['level-seed'], 0, 2 ** 31 - 1, 0);
  return {
    version,
    motd: given.motd,
    port: whole(given['server-port'], 1, 65535, 25565),
    'max-players': whole(given['max-players'], 0, 1000, 20),
    'online-mode': given['online-mode'] === 'true',
    gameMode: place(gameModes, given.gamemode, 1),
    difficulty: place(difficulties, given.difficulty, 1),
    'view-distance': whole(given['view-distance'], 2, 16, 4),
    // a world of one version of the game cannot be read by another
    worldFolder: `${data_dir}/${level ? given['level-name'] : 'world'}/${version}`,
    generation: {
      name: given['level-type'] === 'flat' ? 'superflat' : 'diamond_square',
      options: { worldHeight: 80, ...(seed ? { seed } : {}) },
    },
    logging: false,
    plugins: {},
    'player-list-text': { header: { text: given.motd ?? '' }, footer: { text: '' } },
    'everybody-op': false,
    'max-entities': 100,
    kickTimeout: 30_000,
  };
}
