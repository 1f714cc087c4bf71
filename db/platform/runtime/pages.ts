/** Memory limit of one page of a long result, and rows per statement. */
export const page_limits = { max_bytes: 2 * 1024 * 1024, max_rows: 500 } as const;

interface Sized {
  /** Approximate size of the row in bytes, from the database, known before it is fetched. */
  bytes: number;
}

/** Splits `refs` in order into pages of at most 2 MiB and 500 rows; a larger row is its own page. */
export function* pagesOf<R extends Sized>(refs: readonly R[]): Generator<R[]> {
  let page: R[] = [];
  let bytes = 0;
  for (const ref of refs) {
    const full = bytes + ref.bytes > page_limits.max_bytes || page.length === page_limits.max_rows;
    if (page.length > 0 && full) {
      yield page;
      page = [];
      bytes = 0;
    }
    page.push(ref);
    bytes += ref.bytes;
  }
  if (page.length > 0) yield page;
}

/**
 * Fetches the rows of `refs` page by page as they are consumed. However long the result, memory holds one page, and no
 * connection is held between pages.
 */
export async function* inPages<R extends Sized, T>(
  refs: readonly R[],
  load: (page: R[]) => Promise<Iterable<T>>,
): AsyncGenerator<T> {
  for (const page of pagesOf(refs)) yield* await load(page);
}

/** Maps `items` with `to`, one by one. */
export async function* mapped<T, R>(items: AsyncIterable<T>, to: (item: T) => R): AsyncGenerator<R> {
  for await (const item of items) yield to(item);
}

/** Collects all of `items` into an array; use it only for small results. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
