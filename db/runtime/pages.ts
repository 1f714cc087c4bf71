/** What one page of a long answer may hold in memory, and how many rows one statement fetches. */
export const page_limits = { max_bytes: 2 * 1024 * 1024, max_rows: 500 } as const;

interface Sized {
  /** About how large the row is, in bytes, as the database says before it is fetched. */
  bytes: number;
}

/** Splits `refs` in their order into pages of at most 2 MiB and 500 rows; a larger row is a page of its own. */
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
 * Fetches what `refs` name page by page, as it is consumed: however long the answer, memory holds one page of it, and no
 * connection is held between pages.
 */
export async function* inPages<R extends Sized, T>(
  refs: readonly R[],
  load: (page: R[]) => Promise<Iterable<T>>,
): AsyncGenerator<T> {
  for (const page of pagesOf(refs)) yield* await load(page);
}

/** `items` as `to` makes them, one by one. */
export async function* mapped<T, R>(items: AsyncIterable<T>, to: (item: T) => R): AsyncGenerator<R> {
  for await (const item of items) yield to(item);
}

/** All of `items` as an array: for what is known to be small. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
