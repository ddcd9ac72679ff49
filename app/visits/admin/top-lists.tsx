import { Card } from '../../ui/card.tsx';
import type { VisitReport } from '../visits.ts';

const DEVICE_NAMES = { phone: 'Phones', tablet: 'Tablets', desktop: 'Computers' };

/** Lists the most viewed pages, the referrers and the devices. */
export function TopLists({ report: { pages, referrers, devices } }: { report: VisitReport }) {
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <TopList
        className="lg:row-span-2"
        heading="Most viewed pages"
        rows={pages.map(({ path, views, reads, seconds }) => ({
          key: path,
          name: path,
          href: encodeURI(path),
          count: views,
          ...(reads > 0 ? { note: `read for ${formatDuration(seconds / reads)} on average` } : {}),
        }))}
      />
      <TopList
        heading="Where visitors come from"
        rows={referrers.map(({ host, visits }) => ({ key: host, name: formatHost(host), count: visits }))}
      />
      <TopList
        heading="Devices"
        rows={devices.map(({ name, views }) => ({ key: name, name: DEVICE_NAMES[name], count: views }))}
      />
    </div>
  );
}

interface Row {
  key: string;
  name: string;
  count: number;
  href?: string;
  /** Details beside the count. */
  note?: string;
}

function TopList({ heading, rows, className }: { heading: string; rows: readonly Row[]; className?: string }) {
  const maxCount = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <Card className={`grid grid-cols-1 content-start gap-3 p-5 ${className ?? ''}`}>
      <h3 className="font-semibold">{heading}</h3>
      {rows.length === 0 && <p className="text-sm text-muted">No data yet.</p>}
      <ul className="grid grid-cols-1 gap-1">
        {rows.map(({ key, name, count, href, note }) => (
          <li
            key={key}
            className="relative grid grid-cols-[1fr_auto] items-baseline gap-x-4 rounded-sm px-2 py-1 text-sm"
          >
            <span
              aria-hidden="true"
              className="absolute inset-y-0 left-0 rounded-sm bg-accent-soft"
              style={{ width: `${(count / maxCount) * 100}%` }}
            />
            <span className="relative min-w-0 [overflow-wrap:anywhere]">
              {href ? (
                <a href={href} className="hover:underline">
                  {name}
                </a>
              ) : (
                <span>{name}</span>
              )}
              {note && <span className="block text-ink/75">{note}</span>}
            </span>
            <span className="relative font-medium">{count.toLocaleString('en-GB')}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function formatHost(host: string): string {
  if (host === '') return 'Direct or unknown';
  return host === 'other' ? 'Others' : host;
}

/** Formats a duration as '2 min 5 s'. */
function formatDuration(seconds: number): string {
  const wholeSeconds = Math.round(seconds);
  return wholeSeconds < 60 ? `${wholeSeconds} s` : `${Math.floor(wholeSeconds / 60)} min ${wholeSeconds % 60} s`;
}
