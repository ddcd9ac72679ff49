import { isMetric, METRIC_NAMES, METRICS, metricMeaning } from '../../../supabase/functions/metrics.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import type { Campaign } from '../clients.ts';
import type { ColumnMap } from './figure-columns.ts';
import type { FigureFile } from './figure-file.ts';

interface ColumnFieldsProps {
  file: FigureFile;
  map: ColumnMap;
  campaigns: readonly Campaign[];
  onChange: (map: ColumnMap) => void;
}

/** Form for the column mapping. Shows the first value of each column as an example. */
export function ColumnFields({ file, map, campaigns, onChange }: ColumnFieldsProps) {
  const columns = file.headers.map((header, column) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
    <option key={column} value={column}>
      {header || `Column ${column + 1}`}
    </option>
  ));
  return (
    <div className="grid grid-cols-1 gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Campaign">
          <Select
            value={map.campaign ?? ''}
            onChange={({ target: { value } }) =>
              onChange({ ...map, campaign: /^\d+$/.test(value) ? Number(value) : value || null })
            }
          >
            <option value="">Choose</option>
            <optgroup label="Read from a column">{columns}</optgroup>
            <optgroup label="Same for the whole file">
              {campaigns.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          </Select>
        </Field>
        <Field label="Each line covers">
          <Select
            value={map.period}
            onChange={({ target: { value } }) => onChange({ ...map, period: value === 'week' ? 'week' : 'day' })}
          >
            <option value="day">A day</option>
            <option value="week">A week, by its first day</option>
          </Select>
        </Field>
        <Field label="Date">
          <Select
            value={map.day ?? ''}
            onChange={({ target: { value } }) => onChange({ ...map, day: value === '' ? null : Number(value) })}
          >
            <option value="">Choose</option>
            {columns}
          </Select>
        </Field>
        <Field label="Date format">
          <Select
            value={map.order ?? ''}
            onChange={({ target: { value } }) =>
              onChange({ ...map, order: value === 'ymd' || value === 'dmy' || value === 'mdy' ? value : null })
            }
          >
            <option value="">Choose</option>
            <option value="ymd">2026-11-16, 16.11.2026 or 16 Nov 2026</option>
            <option value="dmy">Day, month, year: 16/11/2026</option>
            <option value="mdy">Month, day, year: 11/16/2026</option>
          </Select>
        </Field>
      </div>
      <MetricFields file={file} map={map} onChange={onChange} />
    </div>
  );
}

/** Assigns metrics to the columns that are neither date nor campaign. */
function MetricFields({ file: { headers, lines }, map, onChange }: Omit<ColumnFieldsProps, 'campaigns'>) {
  const candidates = headers
    .map((header, column) => ({ header, column }))
    .filter(({ column }) => column !== map.day && column !== map.campaign);
  const skipped = candidates
    .filter(({ column }) => (map.metrics[column] ?? null) === null)
    .map(({ header, column }) => header || `Column ${column + 1}`);
  const setMetric = (column: number, text: string) =>
    onChange({ ...map, metrics: map.metrics.with(column, isMetric(text) ? text : null) });
  return (
    <fieldset className="grid grid-cols-1 gap-x-5 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
      <legend className="mb-3 font-semibold">Metrics of the other columns</legend>
      {skipped.length > 0 && (
        <p className="text-sm text-muted [overflow-wrap:anywhere] sm:col-span-2 lg:col-span-3">
          Not imported unless you choose a metric: {skipped.join(', ')}.
        </p>
      )}
      {candidates.map(({ header, column }) => {
        const metric = map.metrics[column] ?? null;
        const example = lines.find(({ cells }) => (cells[column] ?? '') !== '')?.cells[column];
        return (
          <Field
            key={column}
            label={header || `Column ${column + 1}`}
            aside={
              example !== undefined && <span className="block max-w-24 truncate font-mono text-label">{example}</span>
            }
            help={metric ? `Counts ${metricMeaning(metric)}.` : undefined}
          >
            <Select value={metric ?? ''} onChange={({ target }) => setMetric(column, target.value)}>
              <option value="">Do not import</option>
              {METRIC_NAMES.map((name) => (
                <option key={name} value={name}>
                  {METRICS[name].label}
                </option>
              ))}
            </Select>
          </Field>
        );
      })}
    </fieldset>
  );
}
