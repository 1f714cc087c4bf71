import type { StoredDocument } from '../documents/hits.ts';
import type { CountQuery, CountResult, DocumentChange, Query, SearchResult } from '../engine.ts';
import type { LayeredIndex } from './layered-index.ts';
import type { Facts } from './segment-file.ts';
import type { SegmentFiles } from './snapshots.ts';

/** Requests and responses of the searcher thread, by kind. */
export interface Messages {
  search: { asked: { query: Query }; answer: SearchResult };
  count: { asked: { query: CountQuery }; answer: CountResult };
  shown: { asked: { ids: readonly string[] }; answer: Array<StoredDocument | null> };
  apply: { asked: { changes: DocumentChange[] }; answer: PinnedSnapshot };
  /** Reads and verifies two files and keeps them until they are swapped in or replaced. */
  load: { asked: { as: 'base' | 'warm'; files: SegmentFiles }; answer: Loaded };
  adopt: { asked: Adoption; answer: PinnedSnapshot };
}
export type Kind = keyof Messages;

export interface Adoption {
  base: 'keep' | 'loaded';
  warm: 'loaded' | null;
  dead: string[];
  changes: DocumentChange[];
}

/** Contents of the layers. */
export type PinnedSnapshot = ReturnType<LayeredIndex['status']>;
export type Loaded = { facts: Facts; bytes: number } | { refused: string };

export type Request = { [K in Kind]: { id: number; kind: K } & Messages[K]['asked'] }[Kind];
export type Response = { id: number; answer: Messages[Kind]['answer'] } | { id: number; error: string };
