/** Which stored pages have which tags. */
export class PageIndex {
  readonly #pages = new Map<string, Set<string>>();
  readonly #tags = new Map<string, readonly string[]>();

  /** The ids of the pages with `tag`. */
  pagesOf(tag: string): string[] {
    return [...(this.#pages.get(tag) ?? [])];
  }

  /** Every tag that some page has. */
  tags(): string[] {
    return [...this.#pages.keys()];
  }

  add(id: string, tags: readonly string[]): void {
    this.#tags.set(id, tags);
    for (const tag of tags) {
      const ids = this.#pages.get(tag) ?? new Set();
      this.#pages.set(tag, ids.add(id));
    }
  }

  remove(id: string): void {
    for (const tag of this.#tags.get(id) ?? []) {
      const ids = this.#pages.get(tag);
      ids?.delete(id);
      if (ids?.size === 0) this.#pages.delete(tag);
    }
    this.#tags.delete(id);
  }

  clear(): void {
    this.#pages.clear();
    this.#tags.clear();
  }
}
