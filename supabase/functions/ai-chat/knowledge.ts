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

export interface KeptKnowledge {
  read(): Promise<Knowledge>;
  forget(): void;
}

/** Creates the cache of content and index. */
export function keepKnowledge(api: TableApi): KeptKnowledge {
  let known: Knowledge | null = null;
  let reading: Promise<Knowledge> | null = null;

  /** Reads the content. Concurrent requests share one read. */
  function read(): Promise<Knowledge> {
    if (known && Date.now() - known.readAt < CONTENT_AGE) return Promise.resolve(known);
    if (reading) return reading;
    const started = readSiteContent(api).then((content) => ({
      content,
      index: createSearchIndex(content),
      readAt: Date.now(),
    }));
    const settle = (result: Knowledge | null) => {
      // The cache was cleared during the read, so the content may be outdated.
      if (reading !== started) return;
      reading = null;
      known = result;
    };
    started.then(settle, () => settle(null));
    reading = started;
    return started;
  }

  return {
    read,
    forget() {
      known = null;
      reading = null;
    },
  };
}
