import { describe, expect, it } from 'vitest';
import { loadersFor } from '../../server-kinds/rules.ts';
import {
  compareVersions,
  contentAfter,
  hasLoaderVersions,
  isOlderGame,
  isSameLoader,
  type KnownLoaderVersions,
  loaderItems,
  loaderOffers,
  loaderVersionsFor,
  whyNotChangeLoader,
} from '../content/loader-rules.ts';
import { isInForce, isOpenStep, whyNotCancelChange, whyNotUndoChange } from './rules.ts';

const known: KnownLoaderVersions = {
  fabric: [{ version: '0.16.14', game_versions: ['1.20.1'] }],
  neoforge: [
    { version: '21.4.111', game_versions: ['1.21.4'] },
    { version: '21.1.5', game_versions: ['1.21.1'] },
  ],
};
const now = { game_version: '1.21.4', loader: 'fabric', loader_version: '0.16.14' };
const why = (to: Partial<typeof now> | { loader: null }, kind = 'itzg') =>
  whyNotChangeLoader({ kind, now, known }, { ...now, loader_version: null, ...to } as typeof now);

describe('another loader', () => {
  it.each([
    ['the newest version of the same one', {}, null],
    ['a version that nobody knows yet', { loader_version: '0.99.0' }, null],
    ['none', { loader: null }, null],
    ['none, with a version', { loader: null, loader_version: '1' }, 'server_loader_version_unknown'],
    ['an unknown one', { loader: 'rift' }, 'server_loader_unknown'],
    ['one of the prototype', { loader: 'constructor' }, 'server_loader_unknown'],
    [
      'one that this game version has not',
      { game_version: '1.16.5', loader: 'neoforge' },
      'server_loader_unknown',
    ],
    ['an unknown game version', { game_version: '1.0' }, 'server_version_unknown'],
    ['what it is already', { loader_version: '0.16.14' }, 'server_loader_unchanged'],
    ['text that is no version', { loader_version: '0.16; ls' }, 'server_loader_version_unknown'],
    ['an empty version', { loader_version: '' }, 'server_loader_version_unknown'],
    ['a build of Paper', { loader: 'paper', loader_version: '232' }, null],
    [
      'a version instead of a build',
      { loader: 'paper', loader_version: '1.2' },
      'server_loader_version_unknown',
    ],
    ['a version for this game', { loader: 'neoforge', loader_version: '21.4.111' }, null],
    [
      'a version for another game',
      { loader: 'neoforge', loader_version: '21.1.5' },
      'server_loader_version_unknown',
    ],
  ])('%s', (_name, to, code) => {
    expect(why(to)?.code ?? null).toBe(code);
  });

  it('says what would fit', () => {
    expect(why({ loader: 'rift' })?.data.allowed).toBe(loadersFor('itzg', '1.21.4').join(', '));
    expect(why({ loader: 'neoforge', loader_version: '21.1.5' })?.data.allowed).toBe('21.4.111');
    expect(why({ game_version: '1' }, 'local')?.data.allowed).toBe('1.21.4, 1.20.2, 1.16.5');
    expect(why({}, 'bedrock')?.code).toBe('server_kind_unknown');
    expect(loaderOffers('bedrock')).toEqual([]);
  });

  it('offers versions that the catalogue names, those of NeoForge for their game only', () => {
    expect(loaderVersionsFor(known, { game_version: '1.21.4', loader: 'fabric' })).toEqual(['0.16.14']);
    expect(loaderVersionsFor(known, { game_version: '1.21.4', loader: 'neoforge' })).toEqual(['21.4.111']);
    expect(loaderVersionsFor(known, { game_version: '1.21.4', loader: 'toString' })).toEqual([]);
    expect(loaderVersionsFor(known, { game_version: '1.21.4', loader: null })).toEqual([]);
    expect([null, 'vanilla', 'fabric', 'toString'].map(hasLoaderVersions)).toEqual([
      false,
      false,
      true,
      false,
    ]);
  });

  it('tells what becomes of mods and plugins', () => {
    const to = (given: object) => contentAfter(now, { ...now, ...given });
    expect(to({ loader_version: null })).toBe('kept');
    expect(to({ loader: 'quilt' })).toBe('kept');
    expect(to({ game_version: '1.20.1' })).toBe('checked');
    expect(to({ loader: 'paper' })).toBe('unused');
    expect(to({ loader: null })).toBe('unused');
    // Fabric does not load what is made for Quilt
    expect(contentAfter({ ...now, loader: 'quilt' }, now)).toBe('unused');
    expect(contentAfter({ ...now, loader: null }, now)).toBe('kept');
    expect(contentAfter({ ...now, loader: 'paper' }, { ...now, loader: 'purpur' })).toBe('kept');
  });

  it('orders versions by their numbers', () => {
    expect(['0.9.1', '0.16.14', '0.16.2'].toSorted(compareVersions)).toEqual(['0.9.1', '0.16.2', '0.16.14']);
    expect([
      isOlderGame('1.21.4', '1.9'),
      isOlderGame('1.21.4', '26.2'),
      isOlderGame('1.20', '1.20'),
    ]).toEqual([true, false, false]);
  });

  it('names what changes', () => {
    expect(loaderItems(now, { ...now, loader: null, loader_version: null })).toEqual([
      { title: 'loader', from: 'fabric', to: null },
      { title: 'loader_version', from: '0.16.14', to: null },
    ]);
    expect(isSameLoader({ ...now, loader: null }, { ...now, loader: 'vanilla' })).toBe(true);
  });
});

describe('a change', () => {
  it('can be canceled until files change', () => {
    const steps = ['stopping', 'safety', 'erasing', 'applying', 'starting', 'done', 'failed'] as const;
    const refused = steps.filter((step) => whyNotCancelChange({ step, fetches: false }) !== null);
    expect(refused).toEqual(['erasing', 'applying', 'starting']);
    expect(whyNotCancelChange({ step: 'applying', fetches: true })).toBeNull();
    expect(steps.filter(isOpenStep)).toEqual(['stopping', 'safety', 'erasing', 'applying', 'starting']);
  });

  it('can be taken back when it is the newest one in force', () => {
    const loader = { kind: 'loader', step: 'done', newer: false } as const;
    expect(whyNotUndoChange(loader)).toBeNull();
    expect(whyNotUndoChange({ ...loader, newer: true })).toBe('change_not_undoable');
    expect(whyNotUndoChange({ ...loader, kind: 'undo' })).toBe('change_not_undoable');
    expect(whyNotUndoChange({ ...loader, step: 'undone' })).toBe('change_not_undoable');
    expect(whyNotUndoChange({ ...loader, step: 'failed' })).toBe('change_not_undoable');
    expect(whyNotUndoChange({ ...loader, step: 'starting' })).toBe('server_busy');
    expect(isInForce({ kind: 'undo', step: 'done' })).toBe(false);
    expect(isInForce({ kind: 'undo', step: 'stopping' })).toBe(true);
    expect(isInForce({ kind: 'loader', step: 'failed' })).toBe(false);
  });
});
