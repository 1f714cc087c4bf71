import type { Doc } from '../engine.ts';
import { memoryBodies } from './bodies.ts';
import { Part, sectionsOf } from './part.ts';

interface Layer {
  part: Part;
  /** Those of its documents that are alive. */
  docs: Map<string, Doc>;
}

/** Layers are joined while together they hold no more than so many documents, or this share of all. */
const joined = { documents: 32, share: 1 / 4 };

/**
 * What changed last, in layers: each batch of documents is a part of its own, and small ones are made one later. To
 * make all of it anew with every batch would take the thread that answers ten times as long.
 */
export class Hot {
  /** Newest first. */
  #layers: Layer[] = [];
  readonly #judged: (part: Part) => Part;

  /** `judged` lets a part count words as the big one does. */
  constructor(judged: (part: Part) => Part) {
    this.#judged = judged;
  }

  /** Newest first. */
  get parts(): Part[] {
    return this.#layers.map(({ part }) => part);
  }

  get size(): number {
    return this.#layers.reduce((sum, { docs }) => sum + docs.size, 0);
  }

  /** Takes documents that `remove` was told of before. */
  add(docs: ReadonlyMap<string, Doc>): void {
    if (docs.size > 0) this.#layers.unshift(this.#layer([...docs.values()]));
    const most = Math.max(joined.documents, this.size * joined.share);
    for (let [newest, next] = this.#layers; newest && next; [newest, next] = this.#layers) {
      const both = newest.docs.size + next.docs.size;
      if (next.docs.size > 2 * newest.docs.size || both > most) return;
      this.#layers.splice(0, 2, this.#layer([...current(next), ...current(newest)]));
    }
  }

  remove(id: string): void {
    for (const { part, docs } of this.#layers) if (docs.delete(id)) part.kill(id);
    this.#layers = this.#layers.filter(({ docs }) => docs.size > 0);
  }

  #layer(docs: Doc[]): Layer {
    const bodies = memoryBodies();
    return {
      part: this.#judged(new Part({ sections: sectionsOf(docs, bodies), bodies })),
      docs: new Map(docs.map((doc) => [doc.project_id, doc])),
    };
  }
}

/** The documents of a layer with their counters as they are now. */
function current({ part, docs }: Layer): Doc[] {
  const { downloads, follows } = part.segment.columns;
  return [...docs].map(([id, doc]) => {
    const document = part.documentOf(id) as number;
    return { ...doc, downloads: downloads[document] as number, follows: follows[document] as number };
  });
}
