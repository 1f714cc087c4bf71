import { plain } from './xml.ts';

/** `text` isolated by Unicode marks, so that its direction does not affect the sentence around it. */
export const bidiIsolated = (text: string): string => `\u2068${plain(text)}\u2069`;
