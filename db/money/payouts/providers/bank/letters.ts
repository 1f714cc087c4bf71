import anyAscii from 'any-ascii';

/**
 * A text with the letters that all banks take: those of EPC217-08, names of other scripts spelled in Latin letters. No slash
 * at its ends and no two in a row. Empty when nothing is left.
 */
export function bankText(text: string, most: number): string {
  return anyAscii(text.normalize('NFC').replace(/\p{Extended_Pictographic}/gu, ' '))
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]+/g, ' ')
    .replace(/\/{2,}/g, '/')
    .replace(/\s+/g, ' ')
    .slice(0, most)
    .replace(/^[/ ]+|(?<![/ ])[/ ]+$/g, '');
}
