import { ChevronRight } from 'lucide-react';
import type { Publication, VisitDay } from '../visits.ts';
import { formatDayAndMonth, titlesOnDay } from './visit-days.ts';

interface VisitsTableProps {
  days: readonly VisitDay[];
  publications: readonly Publication[];
}

/** The chart's data as a table, newest first. */
export function VisitsTable({ days, publications }: VisitsTableProps) {
  return (
    <details className="group min-w-0">
      <summary className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1 text-sm text-muted hover:text-ink">
        <ChevronRight aria-hidden="true" className="size-4 transition-transform group-open:rotate-90" />
        Daily figures
      </summary>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
        tabIndex={0}
        aria-label="Visits by day"
        className="mt-3 max-h-96 overflow-auto rounded-md border border-line"
      >
        <table className="w-full text-left text-sm">
          <thead className="sticky top-0 bg-sunken font-mono text-label text-muted">
            <tr>
              <Heading>Day</Heading>
              <Heading isNumber>Views</Heading>
              <Heading isNumber>Chats</Heading>
              <Heading isNumber>Leads</Heading>
              <Heading isNumber>Bookings</Heading>
              <Heading>Published</Heading>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {days.toReversed().map(({ day, views, chats, leads, bookings }) => (
              <tr key={day} className="align-top">
                <th scope="row" className="px-3 py-1.5 font-medium whitespace-nowrap">
                  <time dateTime={day}>{formatDayAndMonth(day)}</time>
                </th>
                <Count>{views}</Count>
                <Count>{chats}</Count>
                <Count>{leads}</Count>
                <Count>{bookings}</Count>
                <td className="min-w-64 px-3 py-1.5 text-muted [overflow-wrap:anywhere]">
                  {titlesOnDay(publications, day).join(' · ')}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

function Heading({ isNumber = false, children }: { isNumber?: boolean; children: string }) {
  return (
    <th scope="col" className={isNumber ? 'px-3 py-2 text-right font-normal' : 'px-3 py-2 font-normal'}>
      {children}
    </th>
  );
}

function Count({ children }: { children: number }) {
  return <td className="px-3 py-1.5 text-right tabular-nums">{children.toLocaleString('en-GB')}</td>;
}
