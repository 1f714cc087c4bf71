declare module 'spdx-expression-parse' {
  /** Parses an SPDX expression; throws an Error if it is invalid. */
  export default function parse(expression: string): unknown;
}
