import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Publication, VisitDay } from '../visits.ts';
import { VisitsChart } from './visits-chart.tsx';
import { VisitsTable } from './visits-table.tsx';

/** Returns the thirty days up to 22 November 2026. The last days have these numbers of views. */
function daysWith(...views: number[]): VisitDay[] {
  return Array.from({ length: 30 }, (_, index) => ({
    day: new Date(Date.UTC(2026, 9, 24 + index)).toISOString().slice(0, 10),
    views: views[index - (30 - views.length)] ?? 0,
    chats: 0,
    leads: 0,
    bookings: 0,
  }));
}

const ARTICLE: Publication = { day: '2026-11-20', title: 'What <b>we</b> learned', slug: 'learned' };

const chart = (days: VisitDay[], publications: Publication[] = []) =>
  renderToStaticMarkup(<VisitsChart days={days} publications={publications} />);

/** Bar heights in percent of the drawing. The lowest tenth is below the axis. */
const readHeights = (html: string) => [...html.matchAll(/height="([\d.]+)%" rx/g)].map(([, height]) => Number(height));

test('Bars are to scale on an axis that ends at a round number', () => {
  const html = chart(daysWith(10, 0, 37));
  expect(readHeights(html)).toEqual([...Array(27).fill(0), 22.5, 0, 83.25]);
  expect(html).toContain('>40</span>');
});

test.each([
  [1, '2'],
  [5, '6'],
  [7, '8'],
  [9, '10'],
  [250, '300'],
  [9_999, '10,000'],
])('A maximum of %i views gives an axis up to %s', (views, top) => {
  expect(chart(daysWith(views))).toContain(`>${top}</span>`);
});

test('Shows one bar for a single day with views, and no bars without views', () => {
  expect(readHeights(chart(daysWith(3))).filter((height) => height > 0)).toEqual([67.5]);
  expect(readHeights(chart(daysWith())).every((height) => height === 0)).toBe(true);
});

test('Marks days with publications and describes the chart for screen readers', () => {
  const html = chart(daysWith(4, 9, 2), [ARTICLE]);
  expect(html.match(/<circle/g)).toHaveLength(1);
  expect(html).toContain('aria-label="Views per day. The maximum was 9 on 21 Nov. 1 post published, marked below."');
  expect(chart(daysWith(4))).not.toContain('<circle');
});

test('The table lists every day with its publications, newest first', () => {
  const html = renderToStaticMarkup(<VisitsTable days={daysWith(1234, 5, 6)} publications={[ARTICLE]} />);
  const rows = [...html.matchAll(/<tr[ >].*?<\/tr>/g)].map(([row]) => row.replaceAll(/<[^>]+>/g, ' ').split(/\s{2,}/));
  expect(rows).toHaveLength(31);
  expect(rows[1]?.filter(Boolean)).toEqual(['22 Nov', '6', '0', '0', '0']);
  expect(rows[3]?.filter(Boolean)).toEqual(['20 Nov', '1,234', '0', '0', '0', 'What &lt;b&gt;we&lt;/b&gt; learned']);
});
