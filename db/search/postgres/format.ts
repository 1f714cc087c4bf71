import { createHash } from 'node:crypto';
import { sampleDocument } from '../documents/sample-document.ts';
import { deletions } from '../query/edit-distance.ts';
import { keys } from '../query/filter-keys.ts';
import { documentColumns } from './columns.ts';

/**
 * A fingerprint of the index this code makes: of what becomes of a sample document and of the names of keys. When
 * tokens, keys or columns change it changes by itself, and the stored index is made anew.
 */
export const format: string = createHash('sha256')
  .update(JSON.stringify([documentColumns(sampleDocument), [...keys.keys()], deletions('lantern')]))
  .digest('hex')
  .slice(0, 16);
