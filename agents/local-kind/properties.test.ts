import { describe, expect, it } from 'vitest';
import { defaults, format, parse, settingsOf } from './properties.ts';

const settings = (text: string) => settingsOf(parse(text), '1.16.5', '/data');

describe('server.properties of the demo server', () => {
  it('comes back as it was written', () => {
    expect(parse(format(defaults))).toEqual(defaults);
  });

  it('lets anybody join unless its owner says otherwise', () => {
    expect(settings('')['online-mode']).toBe(false);
    expect(settings('online-mode=true')['online-mode']).toBe(true);
  });

  it('sets what a line says and passes over what is no line', () => {
    const said = settings(
      '#motd=no\n! nor this\n\nmotd = At the river = here \r\nmax-players=3\ngamemode=survival\nnonsense',
    );
    expect(said).toMatchObject({ motd: 'At the river = here', 'max-players': 3, gameMode: 0 });
  });

  it('reads what other editors write: escapes, colons, the last of two lines', () => {
    const said = parse(
      'motd=Caf\\u00e9 \\: open\\\\\nview-distance : 6\r\n#c\n! d\nmax-players=1\nmax-players=7\nodd',
    );
    expect(said).toEqual({ motd: 'Café : open\\', 'view-distance': '6', 'max-players': '7' });
  });

  it.each([
    ['server-port=0', { port: 25565 }],
    ['server-port=70000', { port: 25565 }],
    ['max-players=many', { 'max-players': 20 }],
    ['view-distance=500', { 'view-distance': 4 }],
    ['gamemode=7', { gameMode: 1 }],
    ['gamemode=2', { gameMode: 2 }],
    ['difficulty=hard', { difficulty: 3 }],
    ['level-type=flat', { generation: { name: 'superflat', options: { worldHeight: 80 } } }],
  ])('%s gives what makes sense', (text, expected) => {
    expect(settings(text)).toMatchObject(expected);
  });

  it.each(['..', '../../etc', 'a/b', '', '.'])(
    'keeps the world inside the folder when it is named %j',
    (name) => {
      expect(settings(`level-name=${name}`).worldFolder).toBe('/data/world/1.16.5');
    },
  );

  it('keeps the worlds of two versions apart', () => {
    expect(settings('level-name=home').worldFolder).toBe('/data/home/1.16.5');
    expect(settingsOf({}, '1.21.4', '/data').worldFolder).toBe('/data/world/1.21.4');
  });
});
