import type { ImportNote } from '../../import/source.ts';

/** Maximum number of lines per group. */
const MAX_LINES = 200;

interface ReportGroupProps {
  title: string;
  lines: readonly ImportNote[];
  open?: boolean;
}

/** Lists the import notes of a group. Collapsed unless `open` is set. */
export function ReportGroup({ title, lines, open = false }: ReportGroupProps) {
  if (lines.length === 0) return null;
  return (
    <details open={open}>
      <summary className="cursor-pointer rounded-sm py-1 font-medium">
        {title} <span className="font-normal text-muted">{lines.length.toLocaleString('en')}</span>
      </summary>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
        tabIndex={0}
        aria-label={title}
        className="mt-1 grid max-h-96 grid-cols-1 divide-y divide-line overflow-y-auto rounded-sm text-[0.9375rem]"
      >
        {[...Map.groupBy(lines.slice(0, MAX_LINES), (line) => line.title)].map(([name, titleLines]) => (
          <li key={name} className="grid gap-x-6 py-2 [overflow-wrap:anywhere] sm:grid-cols-2">
            <span className="font-medium">{name}</span>
            <ul className="grid content-start text-muted">
              {titleLines.map(({ text }) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {lines.length > MAX_LINES && (
        <p className="pt-2 text-sm text-muted">And {(lines.length - MAX_LINES).toLocaleString('en')} more.</p>
      )}
    </details>
  );
}
