/** An address or number inside a sentence: left-to-right in every language. */
export const ltr = (text: string | number): string => `\u2066${text}\u2069`;
