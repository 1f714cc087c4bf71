import { createHash } from 'node:crypto';
import { sampleDocument } from '../documents/sample-document.ts';
import { deletions } from '../query/edit-distance.ts';
import { keys } from '../query/filter-keys.ts';
import { documentColumns } from './columns.ts';

/**
 * Fingerprint of the index format of this code: of an indexed sample document and the short forms of keys. It changes
 * with tokens, keys or columns, and then the stored index is rebuilt.
 */
export const format: string = createHash('sha256')
  .update(JSON.stringify([documentColumns(sampleDocument), [...keys.keys()], deletions('lantern')]))
  .digest('hex')
  .slice(0, 16);
