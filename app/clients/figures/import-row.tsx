import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { METRICS } from '../../../supabase/functions/metrics.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ActionsMenu, DropdownItem } from '../../ui/dropdown-menu.tsx';
import { formatDate } from '../../ui/lib/format-date.ts';
import { formatTime } from '../../ui/lib/format-time.ts';
import { useMutationWithToasts } from '../../ui/use-mutation-with-toasts.ts';
import { type UndoResult, undoImportMutation } from './figures.ts';
import { formatCount } from './progress.ts';

export interface FigureImport {
  id: string;
  file_name: string;
  /** Null for an import from an event source. */
  file_hash: string | null;
  column_map: unknown;
  new_count: number;
  changed_count: number;
  refused_count: number;
  imported_by: string;
  created_at: string;
  undone_at: string | null;
}

/** Row of an import with its file, importer, time, result and a menu to undo it. */
export function ImportRow({ clientId, import: entry }: { clientId: string; import: FigureImport }) {
  const [undoResult, setUndoResult] = useState<UndoResult | null>(null);
  const undo = useMutationWithToasts(undoImportMutation, {
    success: ({ removed, restored }) => [
      'Import undone',
      `${formatFigures(removed)} removed, ${formatFigures(restored)} restored.`,
    ],
    failure: 'Could not undo the import',
  });
  return (
    <li className="flex items-center gap-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="[overflow-wrap:anywhere]">{entry.file_name}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {[entry.imported_by, formatTime(entry.created_at), formatResult(entry)].filter(Boolean).join(' · ')}
        </p>
      </div>
      {entry.undone_at === null ? (
        <ActionsMenu loading={undo.isPending} aria-label={`Actions for ${entry.file_name}`}>
          <DropdownItem
            disabled={undo.isPending}
            onSelect={() =>
              undo.mutate(
                { clientId, id: entry.id },
                { onSuccess: (result) => result.kept.count > 0 && setUndoResult(result) },
              )
            }
          >
            <Undo2 aria-hidden="true" />
            Undo import
          </DropdownItem>
        </ActionsMenu>
      ) : (
        <Badge>Undone</Badge>
      )}
      {undoResult && <KeptFigures kept={undoResult.kept} onClose={() => setUndoResult(null)} />}
    </li>
  );
}

function formatResult({ new_count, changed_count, refused_count }: FigureImport): string {
  const parts = [`${formatCount(new_count)} new`];
  if (changed_count > 0) parts.push(`${formatCount(changed_count)} changed`);
  if (refused_count > 0) parts.push(`${formatCount(refused_count)} rejected`);
  return parts.join(', ');
}

function formatFigures(count: number): string {
  return count === 1 ? '1 figure' : `${formatCount(count)} figures`;
}

function KeptFigures({ kept, onClose }: { kept: UndoResult['kept']; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`${formatFigures(kept.count)} kept`}
      description="A later import changed these figures, so they were kept. To remove them, undo that import too."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ul className="grid grid-cols-1 divide-y divide-line">
        {kept.examples.map(({ campaign, metric, day, value, file }) => (
          <li key={`${campaign} ${metric} ${day}`} className="py-2 [overflow-wrap:anywhere]">
            {campaign}, {formatDate(day)}: {METRICS[metric].label} {formatCount(value)}
            <span className="block text-sm text-muted">{file}</span>
          </li>
        ))}
      </ul>
      {kept.count > kept.examples.length && (
        <p className="pt-2 text-muted">And {formatCount(kept.count - kept.examples.length)} more.</p>
      )}
    </Dialog>
  );
}
