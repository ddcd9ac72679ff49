import { useQuery } from '@tanstack/react-query';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextDifference } from '../../ui/text-difference.tsx';
import { type ContentVersion, versionDataQuery } from './content-versions.ts';
import { fieldDifferences } from './field-differences.ts';

interface VersionDifferenceProps {
  kind: string;
  /** Null if there was no earlier version. */
  before: ContentVersion | null;
  after: ContentVersion;
  labels: readonly [before: string, after: string];
  /** Column order of the form. */
  order: readonly string[];
}

/** Shows the differences between two versions, by field. */
export function VersionDifference({ kind, before, after, labels, order }: VersionDifferenceProps) {
  const older = useQuery({ ...versionDataQuery(before?.id ?? 0), enabled: before !== null });
  const newer = useQuery(versionDataQuery(after.id));
  const error = older.error ?? newer.error;
  if (error) {
    const retry = () => void Promise.all([older.error && older.refetch(), newer.error && newer.refetch()]);
    return <LoadError error={error} onRetry={retry} />;
  }
  if ((before && older.isPending) || newer.isPending) {
    return (
      <div className="grid gap-3">
        <p role="status" className="text-muted">
          Loading...
        </p>
        <Skeleton className="h-24" />
        <Skeleton className="h-24" />
      </div>
    );
  }
  const fields = fieldDifferences(kind, (before && older.data) ?? null, newer.data ?? null, order);
  if (fields.length === 0) return <p className="text-muted">No differences.</p>;
  return (
    <ul className="grid grid-cols-1 gap-5">
      {fields.map((field) => (
        <li key={field.label} className="grid grid-cols-1 gap-2">
          <h3 className="font-medium [overflow-wrap:anywhere]">{field.label}</h3>
          <TextDifference before={field.before} after={field.after} labels={labels} />
        </li>
      ))}
    </ul>
  );
}
