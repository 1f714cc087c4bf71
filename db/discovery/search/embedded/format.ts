import { createHash } from 'node:crypto';
import { sampleDocument } from '../documents/sample-document.ts';
import { sectionsOf } from './layer.ts';
import { memoryStoredFields } from './stored-fields.ts';

function fingerprint(): string {
  const bodies = memoryStoredFields();
  const hash = createHash('sha256');
  for (const [name, numbers] of sectionsOf([sampleDocument], bodies)) {
    const { buffer, byteOffset, byteLength } = numbers;
    hash.update(`${name} ${numbers.constructor.name} `).update(Buffer.from(buffer, byteOffset, byteLength));
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Fingerprint of the segment format of this code: of an indexed sample document. It changes with tokens, keys or
 * structures, and then older snapshots are not loaded.
 */
export const format: string = fingerprint();
