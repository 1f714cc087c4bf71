import type { StoredDocument } from '../documents/hits.ts';
import type { DocumentChange, Query, SearchResult } from '../engine.ts';
import type { LayeredIndex } from './layered-index.ts';
import type { Facts } from './segment-file.ts';
import type { SegmentFiles } from './snapshots.ts';

/** What the searcher thread is asked and what it answers, by kind. */
export interface Messages {
  search: { asked: { query: Query }; answer: SearchResult };
  shown: { asked: { ids: readonly string[] }; answer: Array<StoredDocument | null> };
  apply: { asked: { changes: DocumentChange[] }; answer: PinnedSnapshot };
  /** Reads and checks two files and keeps them until they are adopted or others are loaded as the same. */
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

/** What the parts hold. */
export type PinnedSnapshot = ReturnType<LayeredIndex['status']>;
export type Loaded = { facts: Facts; bytes: number } | { refused: string };

export type Request = { [K in Kind]: { id: number; kind: K } & Messages[K]['asked'] }[Kind];
export type Response = { id: number; answer: Messages[Kind]['answer'] } | { id: number; error: string };
