import type { DocumentChange, SearchDocument } from '../engine.ts';

export type CounterChange = Extract<DocumentChange, { touch: string }>;

/** Changes, at most one per project. */
export interface CoalescedChanges {
  puts: SearchDocument[];
  removes: string[];
  touches: CounterChange[];
}

/**
 * Coalesces changes: for each project the last put or remove counts, and counter changes after it: they are merged
 * into a document that is put, and dropped for one that is removed.
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
