import { LRUCache } from 'lru-cache';
import type { StoredResponse } from './stored-response.ts';

/** Bytes kept of pages that exist. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;

/** Bytes kept of everything else (404 answers, addresses with a query), so that guessing addresses evicts no page. */
const MAX_OTHER_BYTES = 4 * 1024 * 1024;

/** What a render gives: the answer, and whether others may get it too. */
export interface Rendered {
  response: StoredResponse;
  isPublic: boolean;
}

/**
 * Rendered pages, the same for every visitor. drop() forgets them all at once, because any page may show any content.
 * A render that began before a drop is answered, but neither kept nor shared with a request that came after it.
 */
export class PageCache {
  readonly #maxAge: number;
  #kept: Kept;
  #hits = 0;
  #misses = 0;

  /** @param maxAge milliseconds after which a page is rendered again even when nobody said that content changed */
  constructor(maxAge: number) {
    this.#maxAge = maxAge;
    this.#kept = nothingKept(maxAge);
  }

  get(key: string): StoredResponse | undefined {
    const response = this.#kept.pages.get(key) ?? this.#kept.others.get(key);
    if (response) this.#hits++;
    else this.#misses++;
    return response;
  }

  /** How often get() found a page since the process began, and what is kept now. */
  figures(): { hits: number; misses: number; kept: number; bytes: number } {
    const { pages, others } = this.#kept;
    const bytes = pages.calculatedSize + others.calculatedSize;
    return { hits: this.#hits, misses: this.#misses, kept: pages.size + others.size, bytes };
  }

  /** The answer for the key from `render`, which runs once for all who ask at the same time. */
  async render(key: string, render: () => Promise<Rendered>): Promise<StoredResponse> {
    const { pages, others, rendering } = this.#kept;
    const shared = rendering.get(key);
    if (shared) {
      const { response, isPublic } = await shared;
      return isPublic ? response : (await render()).response;
    }
    const started = render();
    rendering.set(key, started);
    try {
      const { response, isPublic } = await started;
      // After a drop this fills stores that nobody reads any more.
      if (isPublic) (response.status === 200 && !key.includes('?') ? pages : others).set(key, response);
      return response;
    } finally {
      rendering.delete(key);
    }
  }

  drop(): void {
    this.#kept = nothingKept(this.#maxAge);
  }
}

interface Kept {
  pages: LRUCache<string, StoredResponse>;
  others: LRUCache<string, StoredResponse>;
  rendering: Map<string, Promise<Rendered>>;
}

function nothingKept(maxAge: number): Kept {
  return {
    pages: boundedStore(MAX_PAGE_BYTES, maxAge),
    others: boundedStore(MAX_OTHER_BYTES, maxAge),
    rendering: new Map(),
  };
}

function boundedStore(maxBytes: number, maxAge: number): LRUCache<string, StoredResponse> {
  // The compressed forms come later and are smaller than the body; room is kept for them.
  const sizeCalculation = ({ size }: StoredResponse) => Math.ceil(size * 1.5) + 1;
  return new LRUCache({ maxSize: maxBytes, sizeCalculation, ttl: maxAge });
}
