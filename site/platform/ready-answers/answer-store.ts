import { LRUCache } from 'lru-cache';
import type { TaggedStore } from '../http/freshness.ts';
import { PageIndex } from '../http/page-cache/page-index.ts';

/** What an answer or a part of one needs to be stored. */
export interface Stored {
  /** What it shows, in lower case: events with one of these tags drop it. */
  tags: readonly string[];
  /** When it expires, in milliseconds since 1970. */
  until: number;
  /** The approximate memory it takes, its tags and key not counted. */
  bytes: number;
}

/** The share of memory for what was asked once. */
const probation_share = 0.25;

/**
 * Answers in `memory_bytes` of memory, in two segments: what was asked once waits in a quarter of it and pushes out only
 * its like; what is asked again moves to the rest. So clients that ask for millions of things once each push out nothing
 * that others ask for. Within a segment the least recently used go first.
 */
export class AnswerStore<A extends Stored> implements TaggedStore {
  /** A client that follows reads the new number back. Source: api-behaviours §14. */
  readonly counts_at_once = true;
  readonly #index = new PageIndex();
  readonly #once: LRUCache<string, A>;
  readonly #often: LRUCache<string, A>;

  constructor(memory_bytes: number) {
    const sizeCalculation = (answer: A, key: string) =>
      answer.bytes + 500 + 2 * key.length + 150 * answer.tags.length;
    const once_bytes = Math.max(1, Math.floor(memory_bytes * probation_share));
    const maxEntrySize = Math.max(1, Math.floor(once_bytes / 4));
    this.#once = new LRUCache<string, A>({
      maxSize: once_bytes,
      ...{ maxEntrySize, sizeCalculation },
      dispose: (_answer, key, reason) => {
        if (reason === 'evict') this.#index.remove(key);
      },
    });
    this.#often = new LRUCache<string, A>({
      maxSize: Math.max(1, memory_bytes - once_bytes),
      ...{ maxEntrySize, sizeCalculation },
      dispose: (answer, key, reason) => {
        if (reason === 'evict') this.#once.set(key, answer);
      },
    });
  }

  /** The answer, unless it expired. */
  find(key: string, now_ms: number): A | null {
    const answer = this.findLast(key);
    return answer && answer.until > now_ms ? answer : null;
  }

  /** The answer, expired or not. Whoever finds one asked for it again. */
  findLast(key: string): A | null {
    const kept = this.#often.get(key);
    if (kept) return kept;
    const answer = this.#once.peek(key);
    if (!answer) return null;
    this.#once.delete(key);
    this.#often.set(key, answer);
    return answer;
  }

  /** Stores an answer, in the segment where there was one under this key. */
  save(key: string, answer: A): void {
    const segment = this.#often.has(key) ? this.#often : this.#once;
    this.#drop(key);
    this.#index.add(key, answer.tags);
    segment.set(key, answer);
    if (!segment.has(key)) this.#index.remove(key); // too large
  }

  /** Puts `answer` in the place of `old`, unless that is gone. */
  replace(key: string, old: A, answer: A): void {
    if ((this.#often.peek(key) ?? this.#once.peek(key)) === old) this.save(key, answer);
  }

  tags(): string[] {
    return this.#index.tags();
  }

  dropTag(tag: string): void {
    for (const key of this.#index.pagesOf(tag)) this.#drop(key);
  }

  limitAge(tag: string, until_ms: number): void {
    for (const key of this.#index.pagesOf(tag)) {
      const answer = this.#often.peek(key) ?? this.#once.peek(key);
      if (answer) answer.until = Math.min(answer.until, until_ms);
    }
  }

  clear(): void {
    this.#often.clear();
    this.#once.clear();
    this.#index.clear();
  }

  stats(): { answers: number; bytes: number } {
    return {
      answers: this.#often.size + this.#once.size,
      bytes: this.#often.calculatedSize + this.#once.calculatedSize,
    };
  }

  #drop(key: string): void {
    this.#index.remove(key);
    this.#often.delete(key);
    this.#once.delete(key);
  }
}
