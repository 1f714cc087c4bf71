/**
 * The routes that our scripts call, by method and path, and what they answer. `site/api/api-calls.ts` adds them: the API is
 * above what calls it.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is merged with what the API adds
export interface ApiCalls {}

/** The names of the values in the path of a route. */
export type PathValues<R extends string> = R extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathValues<Rest>
  : never;
