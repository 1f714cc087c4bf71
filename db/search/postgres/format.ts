import { createHash } from 'node:crypto';
import type { Doc } from '../engine.ts';
import { keys } from '../keys.ts';
import { deletions } from '../one-edit.ts';
import { documentColumns } from './columns.ts';

const text = "Über-FastLanterns' of 2 Maße: 地図 한국어 हिन्दी Ёлка";
const sample: Doc = {
  project_id: 'AAAAAAAA',
  slug: 'fast-lanterns',
  title: text,
  description: text,
  author: 'Ada',
  author_id: '',
  organization: 'Makers',
  organization_id: null,
  categories: ['magic'],
  display_categories: [],
  license: 'MIT',
  open_source: true,
  downloads: 1,
  follows: 1,
  created_timestamp: 1,
  modified_timestamp: 1,
  newest_version: 1,
  all_project_types: ['mod'],
  dependencies: [{ project_id: 'BBBBBBBB', dependency_type: 'required' }],
  disclosure_types: ['archived'],
  rows: [1, 2].map((date) => ({
    version_id: `v${date}`,
    date,
    loaders: ['fabric'],
    game_versions: ['1.20'],
    project_types: ['mod'],
    environment: 'client_only',
    client_side: 'required',
    server_side: 'optional',
  })),
  hit: {
    ...{
      icon_key: null,
      color: null,
      pictures: [],
      date_created: '',
      date_modified: '',
      game_versions: [],
      loaders: [],
    },
    ...{ mrpack_loaders: [], environments: [], client_side: '', server_side: '' },
  },
};

/**
 * A fingerprint of the index this code makes: of what becomes of a sample document and of the names of keys. When
 * tokens, keys or columns change it changes by itself, and the stored index is made anew.
 */
export const format: string = createHash('sha256')
  .update(JSON.stringify([documentColumns(sample), [...keys.keys()], deletions('lantern')]))
  .digest('hex')
  .slice(0, 16);
