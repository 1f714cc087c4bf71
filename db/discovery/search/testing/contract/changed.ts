import type { DocumentChange, SearchDocument } from '../../engine.ts';

/** The contents of a catalogue after `changes`. */
export function changed(docs: SearchDocument[], changes: DocumentChange[]): SearchDocument[] {
  const held = new Map(docs.map((doc) => [doc.project_id, doc]));
  for (const change of changes) {
    if ('put' in change) held.set(change.put.project_id, change.put);
    else if ('remove' in change) held.delete(change.remove);
    else {
      const { touch, downloads, follows } = change;
      const doc = held.get(touch);
      if (doc)
        held.set(touch, { ...doc, downloads: downloads ?? doc.downloads, follows: follows ?? doc.follows });
    }
  }
  return [...held.values()];
}
