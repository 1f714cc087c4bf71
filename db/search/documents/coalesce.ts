import type { DocumentChange, SearchDocument } from '../engine.ts';

export type CounterChange = Extract<DocumentChange, { touch: string }>;

/** Changes of which no two concern the same project. */
export interface CoalescedChanges {
  puts: SearchDocument[];
  removes: string[];
  touches: CounterChange[];
}

/**
 * What is left to do when of several changes to one project the last put or remove counts, and touches after it: those
 * of a document that is put go into it, those of one that is removed are void.
 */
export function coalesce(changes: DocumentChange[]): CoalescedChanges {
  const puts = new Map<string, SearchDocument>();
  const removes = new Set<string>();
  const touches = new Map<string, CounterChange>();
  for (const change of changes) {
    if ('put' in change) {
      const id = change.put.project_id;
      puts.set(id, change.put);
      removes.delete(id);
      touches.delete(id);
    } else if ('remove' in change) {
      puts.delete(change.remove);
      touches.delete(change.remove);
      removes.add(change.remove);
    } else {
      const { touch: id, ...counters } = change;
      const doc = puts.get(id);
      if (doc) puts.set(id, { ...doc, ...counters });
      else if (!removes.has(id)) touches.set(id, { ...touches.get(id), ...change });
    }
  }
  return { puts: [...puts.values()], removes: [...removes], touches: [...touches.values()] };
}
