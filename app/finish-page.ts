/**
 * The last changes to a page that was rendered, in one pass: each further one would make another copy of the page, which
 * V8 collects late (docs/decisions/process.md).
 *
 * - Its scripts are fetched after the first paint and not beside its text and fonts, which then show sooner (why:
 *   docs/decisions/pages.md). Pages of the development server, whose script begins otherwise, stay as they are.
 * - Every copy of the server makes the same page of the same content, with the same ETag. What the router and the query
 *   cache write into a page is alike but for the times of the render: what is sent instead takes the time at which the
 *   browser has the page, which is when the server last said that it holds. Pages that browsers bring back without asking
 *   (Back and Forward) count as old.
 */

/**
 * Tags of modules as the framework writes them: <HeadContent /> the files of the page, <Scripts /> the one that begins.
 */
const PRELOAD = /<link rel="modulepreload" href="(?<preload>[^"]+)"[^>]*>/;
const ENTRY = /<script type="module" async="" src="(?<entry>[^"]+)"><\/script>/;
const ENTRY_BEGINS = '<script type="module" async="" src="';

/** Time in a tuple of a match, in JavaScript. Content cannot look like it: its quotes are escaped. */
const TIME_OF_MATCH = /(?<match>\{i:"(?:[^"\\]|\\.)*",u:)\d{13}\b/;

/** Time in JSON within a string of JavaScript. */
const TIME_OF_QUERY = /(?<!\\)(?<query>\\"(?:dataUpdatedAt|dehydratedAt)\\":)\d{13}\b/;

const TO_REPLACE = new RegExp(
  [PRELOAD, ENTRY, TIME_OF_MATCH, TIME_OF_QUERY].map(({ source }) => source).join('|'),
  'g',
);

const NOW = "(performance.getEntriesByType('navigation')[0]?.type==='back_forward'?0:Date.now())";

/** Frames and tabs that nobody sees are never painted: there the timer begins. */
const LATEST_START_MS = 500;

/** End of a page without <Scripts />, which the framed chat is: the framework writes its own script behind it. */
const END = '</body></html>';

export function finishPage(page: string): string {
  const [body = '', behind] = page.split(END);
  const html = behind ? `${body}${behind}${END}` : page;
  const startsLater = html.includes(ENTRY_BEGINS);
  const preloads: string[] = [];
  return html.replaceAll(TO_REPLACE, (part, ...captures) => {
    const { preload, entry, match, query }: Record<string, string | undefined> = captures.at(-1);
    if (match) return match + NOW;
    if (query) return `${query}"+${NOW}+"`;
    if (entry) return `<script>${startScript(entry, preloads)}</script>`;
    if (!preload || !startsLater) return part;
    preloads.push(preload);
    return '';
  });
}

/**
 * Writes the script that adds the elements that were taken out: React and the router find them and add none of their
 * own.
 */
function startScript(entry: string, preloads: string[]): string {
  return `{
let hasStarted = false;
const add = (name, attributes) => document.head.append(Object.assign(document.createElement(name), attributes));
const start = () => {
  if (hasStarted) return;
  hasStarted = true;
  for (const href of ${JSON.stringify(preloads)}) add('link', { rel: 'modulepreload', href, fetchPriority: 'low' });
  add('script', { type: 'module', src: ${JSON.stringify(entry)} });
};
new PerformanceObserver(start).observe({ type: 'paint', buffered: true });
setTimeout(start, ${LATEST_START_MS});
}`;
}
