/** The published content and its search index, cached for half a minute. */
import { createSearchIndex, type SearchIndex } from './search.ts';
import { readSiteContent, type SiteContent, type TableApi } from './site-content.ts';

/** Cache lifetime in ms. */
const CONTENT_AGE = 30_000;

export interface Knowledge {
  content: SiteContent;
  index: SearchIndex;
  /** Time of the read, in ms since 1970. */
  readAt: number;
}

export interface KnowledgeCache {
  read(): Promise<Knowledge>;
  forget(): void;
}

export function createKnowledgeCache(api: TableApi): KnowledgeCache {
  let cached: Knowledge | null = null;
  let pending: Promise<Knowledge> | null = null;

  /** Reads the content. Concurrent requests share one read. */
  function read(): Promise<Knowledge> {
    if (cached && Date.now() - cached.readAt < CONTENT_AGE) return Promise.resolve(cached);
    if (pending) return pending;
    const started = readSiteContent(api).then((content) => ({
      content,
      index: createSearchIndex(content),
      readAt: Date.now(),
    }));
    const settle = (result: Knowledge | null) => {
      // The cache was cleared during the read, so the content may be outdated.
      if (pending !== started) return;
      pending = null;
      cached = result;
    };
    started.then(settle, () => settle(null));
    pending = started;
    return started;
  }

  return {
    read,
    forget() {
      cached = null;
      pending = null;
    },
  };
}
