import { plain } from './xml.ts';

/** The same inside a sentence of ours, kept apart so that its direction stays its own. */
export const bidiIsolated = (text: string): string => `\u2068${plain(text)}\u2069`;
