declare module 'spdx-expression-parse' {
  /** Parses an SPDX expression; throws an Error when it is none. */
  export default function parse(expression: string): unknown;
}
