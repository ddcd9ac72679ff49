/** Optimises the first paint. Scripts start after it, and clicks before hydration are replayed. */

/**
 * Inline script that records clicks on buttons that React has not hydrated yet, and replays each of them after
 * hydration. This includes Enter in a field, because the browser clicks the form's button. Links and forms with an
 * `action` work without JavaScript.
 *
 * The original event is stopped. Otherwise React would replay it as well, and the second click would undo a toggle.
 *
 * React marks hydrated elements with a property. A click is dropped if its button is removed or not hydrated within a
 * minute, because the visitor will have moved on.
 */
export const EARLY_CLICKS_SCRIPT = `
{
  const clicks = new Map();
  const isHydrated = (button) => Object.keys(button).some((key) => key.startsWith('__reactProps'));
  const repeat = () => {
    for (const [button, until] of clicks) {
      if (button.isConnected && !isHydrated(button) && Date.now() < until) continue;
      clicks.delete(button);
      if (isHydrated(button)) button.click();
    }
    if (clicks.size > 0) setTimeout(repeat, 50);
  };
  addEventListener('click', (event) => {
    const button = event.target.closest?.('button');
    if (!button || event.defaultPrevented || isHydrated(button) || button.form?.hasAttribute('action')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (clicks.size === 0) setTimeout(repeat, 50);
    if (!clicks.has(button)) clicks.set(button, Date.now() + 60000);
  }, true);
}`;

/** Script tags of the framework: <HeadContent /> writes preloads, and <Scripts /> writes the entry. */
const PRELOAD = /<link rel="modulepreload" href="(?<preload>[^"]+)"[^>]*>/;
const ENTRY = /<script type="module" async="" src="(?<entry>[^"]+)"><\/script>/;
const ENTRY_START = '<script type="module" async="" src="';

/** Render time of a route match, in JavaScript. Content cannot match, because its quotes are escaped. */
const MATCH_TIME = /(?<match>\{i:"(?:[^"\\]|\\.)*",u:)\d{13}\b/;

/** Fetch time of a query, in JSON within a JavaScript string. */
const QUERY_TIME = /(?<!\\)(?<query>\\"(?:dataUpdatedAt|dehydratedAt)\\":)\d{13}\b/;

const REPLACED_PARTS = new RegExp([PRELOAD, ENTRY, MATCH_TIME, QUERY_TIME].map(({ source }) => source).join('|'), 'g');

const NOW = "(performance.getEntriesByType('navigation')[0]?.type==='back_forward'?0:Date.now())";

/** Maximum delay of the scripts in milliseconds, because hidden frames and tabs are never painted. */
const MAX_START_DELAY_MS = 500;

/** End of the document. In a page without <Scripts /> (the framed chat), the framework appends its script after it. */
const END = '</body></html>';

/**
 * Rewrites a rendered page in one pass, because each pass copies the page and V8 frees the copies late
 * (docs/decisions/process.md).
 *
 * - Scripts are fetched after the first paint, so that they do not compete with text and fonts
 * (docs/decisions/pages.md). Pages of the development server have a different entry script and are not changed.
 * - Render times of the router and the query cache are replaced with the time at which the browser loads the page, so
 * that the same content always gives the same page and ETag. A page restored by Back or Forward counts as stale.
 */
export function finishPage(page: string): string {
  const [body = '', trailing] = page.split(END);
  const html = trailing ? `${body}${trailing}${END}` : page;
  const defersScripts = html.includes(ENTRY_START);
  const preloads: string[] = [];
  return html.replaceAll(REPLACED_PARTS, (part, ...captures) => {
    const { preload, entry, match, query }: Record<string, string | undefined> = captures.at(-1);
    if (match) return match + NOW;
    if (query) return `${query}"+${NOW}+"`;
    if (entry) return `<script>${startScript(entry, preloads)}</script>`;
    if (!preload || !defersScripts) return part;
    preloads.push(preload);
    return '';
  });
}

/** Returns the script that adds the removed elements. React and the router find them and do not add them again. */
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
setTimeout(start, ${MAX_START_DELAY_MS});
}`;
}
