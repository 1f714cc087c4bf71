import type { SearchDocument } from '../engine.ts';
import { Layer, sectionsOf } from './layer.ts';
import { memoryStoredFields } from './stored-fields.ts';

interface RecentPart {
  index: Layer;
  /** Its live documents. */
  docs: Map<string, SearchDocument>;
}

/** Layers are merged while together they contain no more than this many documents, or this share of all. */
const joined = { documents: 32, share: 1 / 4 };

/**
 * The latest changes, in layers: each batch of documents is a layer, and small ones are merged later. Rebuilding all
 * of it with every batch would block the searcher thread ten times longer.
 */
export class RecentLayer {
  /** Newest first. */
  #layers: RecentPart[] = [];
  readonly #judged: (part: Layer) => Layer;

  /** `judged` gives a layer the term frequencies of the base. */
  constructor(judged: (part: Layer) => Layer) {
    this.#judged = judged;
  }

  /** Newest first. */
  get layers(): Layer[] {
    return this.#layers.map(({ index }) => index);
  }

  get size(): number {
    return this.#layers.reduce((sum, { docs }) => sum + docs.size, 0);
  }

  /** Adds documents; call `remove` for their ids first. */
  add(docs: ReadonlyMap<string, SearchDocument>): void {
    if (docs.size > 0) this.#layers.unshift(this.#layer([...docs.values()]));
    const max = Math.max(joined.documents, this.size * joined.share);
    for (let [newest, next] = this.#layers; newest && next; [newest, next] = this.#layers) {
      const both = newest.docs.size + next.docs.size;
      if (next.docs.size > 2 * newest.docs.size || both > max) return;
      this.#layers.splice(0, 2, this.#layer([...currentDocuments(next), ...currentDocuments(newest)]));
    }
  }

  remove(id: string): void {
    for (const { index, docs } of this.#layers) if (docs.delete(id)) index.kill(id);
    this.#layers = this.#layers.filter(({ docs }) => docs.size > 0);
  }

  #layer(docs: SearchDocument[]): RecentPart {
    const bodies = memoryStoredFields();
    return {
      index: this.#judged(new Layer({ sections: sectionsOf(docs, bodies), bodies })),
      docs: new Map(docs.map((doc) => [doc.project_id, doc])),
    };
  }
}

/** The documents of a layer with current counters. */
function currentDocuments({ index, docs }: RecentPart): SearchDocument[] {
  const { downloads, follows } = index.segment.columns;
  return [...docs].map(([id, doc]) => {
    const document = index.documentOf(id) as number;
    return { ...doc, downloads: downloads[document] as number, follows: follows[document] as number };
  });
}
