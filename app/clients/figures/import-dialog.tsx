import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { formatTime } from '../../ui/lib/format-time.ts';
import { messageOf } from '../../ui/show-error.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import type { Client } from '../clients.ts';
import { CampaignMapping } from './campaign-mapping.tsx';
import { ColumnFields } from './column-fields.tsx';
import { type ColumnMap, findMappingProblem, MAX_UNKNOWN } from './figure-columns.ts';
import { type FigureFile, findSizeProblem, readFigures } from './figure-file.ts';
import { importMutation, importPreviewQuery } from './figures.ts';
import { ImportPreview } from './import-preview.tsx';
import type { FigureImport } from './import-row.tsx';
import { formatCount } from './progress.ts';

interface ImportDialogProps {
  client: Client;
  file: FigureFile;
  initialMap: ColumnMap;
  /** True if the mapping is from the last import with the same header, false if it was guessed. */
  isFromLastImport: boolean;
  imports: readonly FigureImport[];
  onClose: () => void;
}

/** Maps the columns of a file and previews the import. */
export function ImportDialog({ client, file, initialMap, isFromLastImport, imports, onClose }: ImportDialogProps) {
  const [map, setMap] = useState(initialMap);
  const { campaigns, time_zone: timeZone } = client;
  const parsed = useMemo(() => readFigures(file.lines, map, { campaigns, timeZone }), [file, map, campaigns, timeZone]);
  const unknown = parsed.unknown.map(({ key }) => key);
  const problem = findMappingProblem(map, unknown) ?? findSizeProblem(parsed.rows);
  const created = campaignsToCreate(map, unknown);
  const args = { clientId: client.id, file, map, created, rows: parsed.rows, rejectedCount: parsed.rejected.length };
  const importFigures = useMutationWithToasts(importMutation, {
    success: ({ new: added, changed }) => [
      added + changed === 1 ? '1 figure imported' : `${formatCount(added + changed)} figures imported`,
      'You can undo the import at any time.',
    ],
    failure: 'Nothing was imported',
  });
  // Disabled after the import, because the campaigns to create now exist.
  const preview = useQuery({
    ...importPreviewQuery(args),
    enabled: problem === null && !importFigures.isPending && !importFigures.isSuccess,
  });
  const count = preview.data ? preview.data.new + preview.data.changed : 0;
  const previous = imports.find(({ file_hash, undone_at }) => file_hash === file.hash && undone_at === null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={`Figures of ${client.name}`}
      description={`${file.name}, ${file.lines.length === 1 ? '1 line' : `${formatCount(file.lines.length)} lines`}`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={problem !== null || count === 0}
            loading={importFigures.isPending}
            onClick={() => importFigures.mutate(args, { onSuccess: onClose })}
          >
            {count === 1 ? 'Import 1 figure' : `Import ${formatCount(count)} figures`}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-6 pt-1">
        {previous && (
          <p className="text-muted">
            {previous.imported_by || 'A colleague'} imported this file on {formatTime(previous.created_at)}.
          </p>
        )}
        {/* Rendered above the column fields, which fill the first screen. */}
        {problem && <p className="font-medium">{problem}</p>}
        <details open={!isFromLastImport || problem !== null}>
          <summary className="mb-4 cursor-pointer rounded-sm py-1 font-medium">
            {isFromLastImport ? 'Columns, as in the last import' : 'Columns'}
          </summary>
          <ColumnFields file={file} map={map} campaigns={campaigns} onChange={setMap} />
        </details>
        {parsed.unknown.length > 0 && parsed.unknown.length <= MAX_UNKNOWN && (
          <CampaignMapping
            unknown={parsed.unknown}
            names={map.names}
            campaigns={campaigns}
            onChange={(names) => setMap({ ...map, names })}
          />
        )}
        {!problem && preview.isPending && (
          <p role="status" className="text-muted">
            Checking the figures...
          </p>
        )}
        {!problem && preview.error && <ErrorNote title="Preview failed">{messageOf(preview.error)}</ErrorNote>}
        {!problem && preview.data && (
          <ImportPreview result={preview.data} unreadable={parsed.rejected} campaigns={[...campaigns, ...created]} />
        )}
      </div>
    </Dialog>
  );
}

function campaignsToCreate({ names }: ColumnMap, unknown: readonly string[]) {
  return unknown.flatMap((key) => {
    const choice = names[key];
    return choice?.creates ? [{ id: choice.id, ...choice.creates }] : [];
  });
}
