import { LRUCache } from 'lru-cache';
import { type Rendered, RenderQueue, type Requester, UnavailableError } from './render-queue.ts';
import type { StoredResponse } from './stored-response.ts';

/** Maximum size in bytes of cached pages that exist. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;

/**
 * Maximum size in bytes of other cached responses (404 pages, URLs with a query, made-up hosts). They are stored
 * separately, so that scanners cannot evict pages.
 */
const MAX_OTHER_BYTES = 4 * 1024 * 1024;

/** Maximum size in bytes of stale pages. A page that is also in the cache is stored only once. */
const MAX_STALE_BYTES = 32 * 1024 * 1024;

/** Maximum age of a stale page that is served if rendering fails. */
const STALE_MAX_AGE_MS = 60 * 60 * 1000;

export interface PageCacheOptions {
  /** Milliseconds before a page is rendered again even without a content change. */
  maxAge: number;
  /** Checks whether a path accepts arbitrary values. Such URLs are cached separately. */
  isEndless?: (path: string) => boolean;
  /** Checks whether a path belongs to an item, which may be deleted. */
  isItemPath?: (path: string) => boolean;
  /** True to serve stale pages if rendering fails. */
  servesStalePages?: boolean;
  /** True if drop() is called on each content change. */
  isNotifiedOfChanges?: boolean;
  /** Yields to higher-priority work between two renders. */
  untilIdle?: (() => Promise<void>) | undefined;
}

/**
 * Cache of rendered pages, the same for every visitor. drop() clears it completely, because any page may show any
 * content. A render that started before a drop is sent, but not cached or shared with later requests.
 */
export class PageCache {
  readonly #options: Required<Omit<PageCacheOptions, 'untilIdle'>>;
  readonly #queue: RenderQueue;
  readonly #stale = new LRUCache<string, StalePage>({
    maxSize: MAX_STALE_BYTES,
    sizeCalculation: ({ response }) => sizeOf(response),
    ttl: STALE_MAX_AGE_MS,
  });
  #cached: CachedPages;
  #drops = 0;
  #hits = 0;
  #misses = 0;
  #staleServed = 0;
  #uncachedRenders = 0;

  constructor({ untilIdle, ...options }: PageCacheOptions) {
    this.#queue = new RenderQueue(untilIdle);
    this.#options = {
      isEndless: () => false,
      isItemPath: () => false,
      servesStalePages: false,
      isNotifiedOfChanges: true,
      ...options,
    };
    this.#cached = emptyCache(options.maxAge);
  }

  get(key: string): StoredResponse | undefined {
    const response = this.#cached.pages.get(key) ?? this.#cached.others.get(key);
    if (response) this.#hits++;
    else this.#misses++;
    return response;
  }

  /** Returns cache hits since the start, the current size and render statistics. */
  stats() {
    const { pages, others } = this.#cached;
    const bytes = pages.calculatedSize + others.calculatedSize;
    return {
      hits: this.#hits,
      misses: this.#misses,
      count: pages.size + others.size,
      bytes,
      staleServed: this.#staleServed,
      renders: this.#queue.stats(),
    };
  }

  /**
   * Returns the response for the key. Concurrent requests share one render, which waits for its turn. If rendering
   * fails, the stale page is returned.
   * @param key origin and path
   * @param options isGuess: true if the URL may be made up. The page is then cached separately, so that it cannot evict
   * other pages
   * @throws UnavailableError if the page cannot be rendered now, and errors of `render`
   */
  async render(
    key: string,
    requester: Requester,
    render: () => Promise<Rendered>,
    { isGuess = false }: { isGuess?: boolean } = {},
  ): Promise<StoredResponse> {
    try {
      return (await this.#queue.render(key, requester, () => this.#renderAndCache(key, render, isGuess))).response;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      const stalePage = this.#staleOf(key);
      if (stalePage) this.#staleServed++;
      const fallback = stalePage ?? error.partial;
      if (!fallback) throw error;
      return fallback;
    }
  }

  /** Renders a response for a single client without caching it. @throws errors of `render` */
  async renderUncached(requester: Requester, render: () => Promise<Rendered>): Promise<StoredResponse> {
    const once = async () => ({ ...(await render()), isPublic: false });
    return (await this.#queue.render(`uncached ${this.#uncachedRenders++}`, requester, once)).response;
  }

  drop(): void {
    this.#drops++;
    this.#cached = emptyCache(this.#options.maxAge);
    this.#queue.forgetStarted();
  }

  async #renderAndCache(key: string, render: () => Promise<Rendered>, isGuess: boolean): Promise<Rendered> {
    const [cached, drops] = [this.#cached, this.#drops];
    const rendered = await render();
    const { response, isPublic } = rendered;
    const path = pathOf(key);
    const doesExist = isPublic && response.status === 200 && path !== null;
    const isPage = doesExist && !isGuess && !this.#options.isEndless(path);
    // If the cache was dropped in the meantime, these maps are no longer used.
    if (isPublic) (isPage ? cached.pages : cached.others).set(key, response);
    if (!isPage) this.#stale.delete(key);
    else if (this.#options.servesStalePages) this.#stale.set(key, { response, drops });
    return rendered;
  }

  /** Returns the stale page. After a content change, item pages are excluded because the item may be deleted. */
  #staleOf(key: string): StoredResponse | undefined {
    const stalePage = this.#stale.get(key);
    const { isNotifiedOfChanges, isItemPath } = this.#options;
    const isCertainToExist = isNotifiedOfChanges && stalePage?.drops === this.#drops;
    return isCertainToExist || !isItemPath(pathOf(key) ?? '') ? stalePage?.response : undefined;
  }
}

interface CachedPages {
  pages: LRUCache<string, StoredResponse>;
  others: LRUCache<string, StoredResponse>;
}

interface StalePage {
  response: StoredResponse;
  /** Number of drops before the render started. */
  drops: number;
}

function emptyCache(maxAge: number): CachedPages {
  return { pages: boundedStore(MAX_PAGE_BYTES, maxAge), others: boundedStore(MAX_OTHER_BYTES, maxAge) };
}

function boundedStore(maxBytes: number, maxAge: number): LRUCache<string, StoredResponse> {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf, ttl: maxAge });
}

/**
 * Returns the size of a response with its compressed variants, which are created later and are smaller than the body.
 */
function sizeOf({ size }: StoredResponse): number {
  return Math.ceil(size * 1.5) + 1;
}

/** Returns the path of a URL without a query, or null if it has a query. */
function pathOf(key: string): string | null {
  return key.includes('?') ? null : key.slice(key.indexOf('/', key.indexOf('//') + 2));
}
