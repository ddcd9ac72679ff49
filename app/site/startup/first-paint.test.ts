import { expect, test, vi } from 'vitest';
import { finishPage } from './first-paint.ts';

/** Builds a page as the framework renders it at `time`, with an editor's `text`. */
function page(time: number, text = '') {
  const queries = JSON.stringify({
    queries: [{ dehydratedAt: time, state: { data: text, dataUpdatedAt: time, errorUpdatedAt: 0 } }],
  });
  return `matches:[{i:"__root__#",u:${time},s:"success"},{i:"/news{\\"q\\":1}",u:${time}}],data:${JSON.stringify({ queries })}`;
}

function run(html: string, type: string) {
  vi.stubGlobal('performance', { getEntriesByType: () => [{ type }] });
  const { matches, data } = new Function(`return {${html}}`)() as {
    matches: { u: number }[];
    data: { queries: string };
  };
  vi.unstubAllGlobals();
  const { queries } = JSON.parse(data.queries) as {
    queries: { dehydratedAt: number; state: { data: string; dataUpdatedAt: number; errorUpdatedAt: number } }[];
  };
  return { matches, query: queries[0] };
}

test('The same content always produces the same page', () => {
  expect(finishPage(page(1_795_354_097_082))).toBe(finishPage(page(1_795_354_097_416)));
});

test('The browser inserts the load time, or 0 after Back or Forward', () => {
  vi.useFakeTimers({ now: 1_800_000_000_000 });
  const html = finishPage(page(1_795_354_097_082));
  for (const [navigation, time] of [
    ['navigate', 1_800_000_000_000],
    ['back_forward', 0],
  ] as const) {
    const { matches, query } = run(html, navigation);
    expect(matches.map(({ u }) => u)).toEqual([time, time]);
    expect(query).toEqual({ dehydratedAt: time, state: { data: '', dataUpdatedAt: time, errorUpdatedAt: 0 } });
  }
  vi.useRealTimers();
});

test('Content that looks like a timestamp is not changed', () => {
  const text = '{i:"a",u:1795354097082} "dataUpdatedAt":1795354097082 \\"dataUpdatedAt\\":1795354097082 "+alert(1)+"';
  expect(run(finishPage(page(1_795_354_097_082, text)), 'reload').query?.state.data).toBe(text);
});

test('Scripts start after the first paint, except on the development server', () => {
  const preload = '<link rel="modulepreload" href="/assets/a.js">';
  const production = `<head>${preload}</head><p>Text</p><script type="module" async="" src="/assets/a.js"></script>`;
  expect(finishPage(production)).toMatch(
    /^<head><\/head><p>Text<\/p><script>\{[^<]*const href of \["\/assets\/a\.js"\][^<]*<\/script>$/,
  );
  const development = `<head>${preload}</head><script type="module" src="/@vite/client"></script>`;
  expect(finishPage(development)).toBe(development);
});

test("The framework's script moves inside the document", () => {
  const script = '<script>self.$_TSR={}</script>';
  expect(finishPage(`<body><p>Chat</p></body></html>${script}`)).toBe(`<body><p>Chat</p>${script}</body></html>`);
  expect(finishPage('<body><p>Page</p></body></html>')).toBe('<body><p>Page</p></body></html>');
});
