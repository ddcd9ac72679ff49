import { LRUCache } from 'lru-cache';
import { type Asker, type Rendered, RenderQueue, UnavailableError } from './render-queue.ts';
import type { StoredResponse } from './stored-response.ts';

/** Bytes kept of pages that exist. */
const MAX_PAGE_BYTES = 64 * 1024 * 1024;

/** Bytes kept of everything else (404 answers, addresses with a query, invented hosts), so that guessing evicts no page. */
const MAX_OTHER_BYTES = 4 * 1024 * 1024;

/** Bytes of last pages. A page that is among the kept ones as well is in memory once. */
const MAX_LAST_BYTES = 32 * 1024 * 1024;

/** Time after its render for which a page may stand in for one that cannot be rendered. */
const LAST_MAX_AGE_MS = 60 * 60 * 1000;

export interface PageCacheOptions {
  /** Milliseconds after which a page is rendered again even when nobody said that content changed. */
  maxAge: number;
  /** Tells whether there is a page at the address whatever it names: such addresses have no end, and are kept apart. */
  isEndless?: (path: string) => boolean;
  /** Tells whether the address is that of one item, which may be deleted. */
  isOfItem?: (path: string) => boolean;
  /** True when kept pages may stand in for those that cannot be rendered. */
  keepsLast?: boolean;
  /** True when drop() is called for each change of content. */
  hearsOfChanges?: boolean;
  /** Waits between two renders for what goes before them. */
  untilQuiet?: (() => Promise<void>) | undefined;
}

/**
 * Rendered pages, the same for every visitor. drop() forgets them all at once, because any page may show any content.
 * A render that began before a drop is answered, but neither kept nor shared with a request that came after it.
 */
export class PageCache {
  readonly #options: Required<Omit<PageCacheOptions, 'untilQuiet'>>;
  readonly #queue: RenderQueue;
  readonly #last = new LRUCache<string, Last>({
    maxSize: MAX_LAST_BYTES,
    sizeCalculation: ({ response }) => sizeOf(response),
    ttl: LAST_MAX_AGE_MS,
  });
  #kept: Kept;
  #drops = 0;
  #hits = 0;
  #misses = 0;
  #standIns = 0;
  #alone = 0;

  constructor({ untilQuiet, ...options }: PageCacheOptions) {
    this.#queue = new RenderQueue(untilQuiet);
    this.#options = {
      isEndless: () => false,
      isOfItem: () => false,
      keepsLast: false,
      hearsOfChanges: true,
      ...options,
    };
    this.#kept = nothingKept(options.maxAge);
  }

  get(key: string): StoredResponse | undefined {
    const response = this.#kept.pages.get(key) ?? this.#kept.others.get(key);
    if (response) this.#hits++;
    else this.#misses++;
    return response;
  }

  /** Returns how often get() found a page since the process began, what is kept now, and how renders fare. */
  figures() {
    const { pages, others } = this.#kept;
    const bytes = pages.calculatedSize + others.calculatedSize;
    return {
      hits: this.#hits,
      misses: this.#misses,
      kept: pages.size + others.size,
      bytes,
      standIns: this.#standIns,
      renders: this.#queue.figures(),
    };
  }

  /**
   * Returns the answer for the key from `render`, which runs in turn and once for all who ask at the same time. When it
   * cannot be rendered now, the last page stands in.
   * @param key the origin with the address
   * @param options isGuess: true when the address may be invented, so that its page must push out no other
   * @throws UnavailableError when it cannot be rendered now, what `render` throws
   */
  async render(
    key: string,
    asker: Asker,
    render: () => Promise<Rendered>,
    { isGuess = false }: { isGuess?: boolean } = {},
  ): Promise<StoredResponse> {
    try {
      return (await this.#queue.render(key, asker, () => this.#renderAndKeep(key, render, isGuess))).response;
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
      const last = this.#lastOf(key);
      if (last) this.#standIns++;
      const standIn = last ?? error.partial;
      if (!standIn) throw error;
      return standIn;
    }
  }

  /** Returns the answer from `render`, which runs in turn, for one client alone: it is not kept. @throws as `render` does */
  async renderAlone(asker: Asker, render: () => Promise<Rendered>): Promise<StoredResponse> {
    const once = async () => ({ ...(await render()), isPublic: false });
    return (await this.#queue.render(`alone ${this.#alone++}`, asker, once)).response;
  }

  drop(): void {
    this.#drops++;
    this.#kept = nothingKept(this.#options.maxAge);
    this.#queue.forgetBegun();
  }

  async #renderAndKeep(key: string, render: () => Promise<Rendered>, isGuess: boolean): Promise<Rendered> {
    const [kept, drops] = [this.#kept, this.#drops];
    const rendered = await render();
    const { response, isPublic } = rendered;
    const path = pathOf(key);
    const isThere = isPublic && response.status === 200 && path !== null;
    const isPage = isThere && !isGuess && !this.#options.isEndless(path);
    // After a drop this fills stores that nobody reads any more.
    if (isPublic) (isPage ? kept.pages : kept.others).set(key, response);
    if (!isPage) this.#last.delete(key);
    else if (this.#options.keepsLast) this.#last.set(key, { response, drops });
    return rendered;
  }

  /** The page as it was; after a change of content not that of an item, which may be gone. */
  #lastOf(key: string): StoredResponse | undefined {
    const last = this.#last.get(key);
    const { hearsOfChanges, isOfItem } = this.#options;
    const isSurelyThere = hearsOfChanges && last?.drops === this.#drops;
    return isSurelyThere || !isOfItem(pathOf(key) ?? '') ? last?.response : undefined;
  }
}

interface Kept {
  pages: LRUCache<string, StoredResponse>;
  others: LRUCache<string, StoredResponse>;
}

interface Last {
  response: StoredResponse;
  /** Number of content changes before its render began. */
  drops: number;
}

function nothingKept(maxAge: number): Kept {
  return { pages: boundedStore(MAX_PAGE_BYTES, maxAge), others: boundedStore(MAX_OTHER_BYTES, maxAge) };
}

function boundedStore(maxBytes: number, maxAge: number): LRUCache<string, StoredResponse> {
  return new LRUCache({ maxSize: maxBytes, sizeCalculation: sizeOf, ttl: maxAge });
}

/** Tells the size of an answer, with room for its compressed forms, which come later and are smaller than the body. */
function sizeOf({ size }: StoredResponse): number {
  return Math.ceil(size * 1.5) + 1;
}

/** Returns the path of an address without a query; null for one with a query. */
function pathOf(key: string): string | null {
  return key.includes('?') ? null : key.slice(key.indexOf('/', key.indexOf('//') + 2));
}
