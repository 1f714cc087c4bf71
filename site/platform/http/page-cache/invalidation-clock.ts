import { isListTag } from './ttl.ts';

const max_tags = 10_000;

/**
 * Orders invalidations and renders: a page may be stored only if nothing it contains was invalidated since its render
 * began. Time is counted in batches of events; `now` names the current one.
 */
export class InvalidationClock {
  #now = 0;
  #cleared_at = 0;
  #lists_changed_at = 0;
  #lists_cacheable_from_ms = 0;
  #invalidated_at = new Map<string, number>();

  get now(): number {
    return this.#now;
  }

  /** Begins a batch of invalidations. */
  advance(): void {
    this.#now += 1;
  }

  /** Everything is invalid. */
  clear(): void {
    this.advance();
    this.#cleared_at = this.#now;
  }

  invalidate(tag: string): void {
    this.#invalidated_at.set(tag, this.#now);
    if (this.#invalidated_at.size <= max_tags) return;
    this.#cleared_at = this.#now; // too many to remember: no page that renders now is stored
    this.forgetTags();
  }

  /** Lists are invalid, and not stored when they are rendered before `cacheable_from_ms`. */
  invalidateLists(cacheable_from_ms: number): void {
    this.#lists_changed_at = this.#now;
    this.#lists_cacheable_from_ms = cacheable_from_ms;
  }

  /** Forgets when each tag was invalidated, for when nothing renders. */
  forgetTags(): void {
    this.#invalidated_at = new Map();
  }

  /** Whether something that a page with these tags contains was invalidated after `began`. */
  isOutdated(tags: readonly string[], began: number): boolean {
    if (this.#cleared_at > began) return true;
    if (this.#lists_changed_at > began && tags.some(isListTag)) return true;
    return tags.some((tag) => (this.#invalidated_at.get(tag) ?? 0) > began);
  }

  /** Whether a page with these tags that began to render at `began_ms` shows what the search index may not know yet. */
  isBeforeSearch(tags: readonly string[], began_ms: number): boolean {
    return began_ms < this.#lists_cacheable_from_ms && tags.some(isListTag);
  }
}
