import type { RowsResult } from './approval-lists.ts';

interface RemovedRowsProps {
  result: RowsResult;
  restoredLines: readonly number[];
  onRestore: (lines: readonly number[]) => void;
}

/** Lists rows that the client removed from an earlier list. The team can check rows to include them again. */
export function RemovedRows({ result, restoredLines, onRestore }: RemovedRowsProps) {
  const rows = result.examples.filter(({ state }) => state === 'removed');
  if (rows.length === 0) return null;
  return (
    <fieldset className="grid grid-cols-1 gap-1">
      <legend className="py-1 font-medium">Previously removed by the client</legend>
      <p className="text-sm text-muted">These rows are left out. Check a row to include it again.</p>
      <ul className="mt-1 grid max-h-64 grid-cols-1 divide-y divide-line overflow-y-auto text-[0.9375rem]">
        {rows.map(({ line, text, reason }) => (
          <li key={line}>
            <label className="flex min-h-11 cursor-pointer items-start gap-3 py-2">
              <input
                type="checkbox"
                className="mt-0.5 size-5 cursor-[inherit]"
                checked={restoredLines.includes(line)}
                onChange={({ target }) =>
                  onRestore(target.checked ? [...restoredLines, line] : restoredLines.filter((other) => other !== line))
                }
              />
              <span className="grid min-w-0 gap-0.5">
                <span className="[overflow-wrap:anywhere]">{`${text}, line ${line}`}</span>
                <span className="text-sm text-muted [overflow-wrap:anywhere]">{reason}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {result.removed > rows.length && (
        <p className="pt-2 text-sm text-muted">
          {`More rows left out: ${(result.removed - rows.length).toLocaleString('en-GB')}.`}
        </p>
      )}
    </fieldset>
  );
}
