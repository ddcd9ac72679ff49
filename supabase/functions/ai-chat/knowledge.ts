/** Knowledge of the assistant: the published content and its index, remembered for half a minute. */
import { createSearchIndex, type SearchIndex } from './search.ts';
import { readSiteContent, type SiteContent, type TableApi } from './site-content.ts';

/** Milliseconds for which the content is remembered. */
const CONTENT_AGE = 30_000;

export interface Knowledge {
  content: SiteContent;
  index: SearchIndex;
  /** Milliseconds since 1970. */
  readAt: number;
}

export interface KeptKnowledge {
  read(): Promise<Knowledge>;
  forget(): void;
}

/** Keeps the assistant's knowledge, and reads it anew when it is old. */
export function keepKnowledge(api: TableApi): KeptKnowledge {
  let known: Knowledge | null = null;
  let reading: Promise<Knowledge> | null = null;

  /** One read at a time, shared by everybody who asks meanwhile. */
  function read(): Promise<Knowledge> {
    if (known && Date.now() - known.readAt < CONTENT_AGE) return Promise.resolve(known);
    if (reading) return reading;
    const started = readSiteContent(api).then((content) => ({
      content,
      index: createSearchIndex(content),
      readAt: Date.now(),
    }));
    const settle = (result: Knowledge | null) => {
      // Forgotten meanwhile: it may have been read before the change.
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
