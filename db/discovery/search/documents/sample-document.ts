import { type SearchColumns, searchColumns } from '../../../catalogue/projects/stored-fields.ts';
import type { SearchDocument } from '../engine.ts';

const text = "Über-FastLanterns' of 2 Maße: 地図 한국어 हिन्दी Ёлка";
/** A document that uses every field: its indexed form is the fingerprint of an index format. */
export const sampleDocument: SearchDocument = {
  project_id: 'AAAAAAAA',
  slug: 'fast-lanterns',
  ...(Object.fromEntries(searchColumns.map((column) => [column, text])) as SearchColumns),
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
