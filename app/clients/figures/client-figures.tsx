import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DropArea } from '../../ui/drop-area.tsx';
import { ErrorNote } from '../../ui/error-note.tsx';
import { FileButton } from '../../ui/form/file-button.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { messageOf } from '../../ui/show-error.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Client } from '../clients.ts';
import { type ColumnMap, columnMapSchema, detectDayOrder, guessColumns } from './figure-columns.ts';
import { type FigureFile, readFigureFile } from './figure-file.ts';
import { importsQuery } from './figures.ts';
import { ImportDialog } from './import-dialog.tsx';
import { type FigureImport, ImportRow } from './import-row.tsx';

/** Number of imports shown while the list is collapsed. */
const COLLAPSED_IMPORTS = 3;

/** Lists a client's imports, with buttons to add and undo imports. */
export function ClientFigures({ client, headingLevel = 2 }: { client: Client; headingLevel?: 2 | 4 }) {
  const Heading = headingLevel === 2 ? 'h2' : 'h4';
  const { data: imports, error, isPending, refetch } = useQuery(importsQuery(client.id));
  const [opened, setOpened] = useState<{ file: FigureFile; map: ColumnMap; isFromLastImport: boolean } | null>(null);
  const [fileError, setFileError] = useState<string | null>(null);
  const [showsAll, setShowsAll] = useState(false);

  const openFile = async (files: Iterable<File>) => {
    const [selectedFile] = files;
    if (!selectedFile) return;
    try {
      const file = await readFigureFile(selectedFile);
      setFileError(null);
      const previous = previousMapping(file, client, imports);
      setOpened({ file, map: previous ?? guessMapping(file, client), isFromLastImport: previous !== undefined });
    } catch (failure) {
      setFileError(messageOf(failure));
    }
  };
  const visibleImports = showsAll ? imports : imports?.slice(0, COLLAPSED_IMPORTS);
  return (
    <section aria-label={`Imports, ${client.name}`}>
      <DropArea invitation="Drop the CSV to preview it" onFiles={(files) => void openFile(files)}>
        <Card className="grid grid-cols-1 gap-4 p-5">
          <div className="flex flex-wrap items-center justify-between gap-3">
            <Heading className={headingLevel === 2 ? 'text-lg font-semibold' : 'font-medium'}>Imports</Heading>
            <FileButton
              size="sm"
              accept=".csv,text/csv"
              aria-label={`Import a CSV for ${client.name}`}
              onFiles={(files) => void openFile(files)}
            >
              <Upload aria-hidden="true" />
              Import a CSV
            </FileButton>
          </div>
          {fileError && <ErrorNote title="Could not read the file">{fileError}</ErrorNote>}
          {isPending && <Skeleton className="h-16 rounded-md" />}
          {error && <LoadError error={error} onRetry={() => void refetch()} />}
          {imports?.length === 0 && (
            <p className="text-muted">
              No figures yet. Choose a CSV file or drop it here. You see a preview before it is imported.
            </p>
          )}
          {visibleImports && visibleImports.length > 0 && (
            <ul className="grid grid-cols-1 divide-y divide-line">
              {visibleImports.map((entry) => (
                <ImportRow key={entry.id} clientId={client.id} import={entry} />
              ))}
            </ul>
          )}
          {imports && imports.length > COLLAPSED_IMPORTS && !showsAll && (
            <Button variant="link" className="justify-self-start" onClick={() => setShowsAll(true)}>
              {`Show all ${imports.length} imports`}
            </Button>
          )}
        </Card>
      </DropArea>
      {opened && (
        <ImportDialog
          client={client}
          file={opened.file}
          initialMap={opened.map}
          isFromLastImport={opened.isFromLastImport}
          imports={imports ?? []}
          onClose={() => setOpened(null)}
        />
      )}
    </section>
  );
}

function guessMapping(file: FigureFile, { campaigns, first_weekday, time_zone }: Client): ColumnMap {
  return guessColumns(file, { campaigns, firstWeekday: first_weekday, timeZone: time_zone });
}

/** Returns the column mapping of the last import with the same header, without campaigns that no longer exist. */
function previousMapping({ headers, lines }: FigureFile, { campaigns }: Client, imports: readonly FigureImport[] = []) {
  const exists = (campaign: string) => campaigns.some(({ id }) => id === campaign);
  for (const { column_map } of imports) {
    const { data: map } = columnMapSchema.safeParse(column_map);
    const hasSameHeader =
      map?.headers.length === headers.length && map.headers.every((name, index) => name === headers[index]);
    if (!hasSameHeader || (typeof map.campaign === 'string' && !exists(map.campaign))) continue;
    const names = Object.entries(map.names).filter(([, choice]) => choice === null || exists(choice.id));
    // `ymd` means that the previous file had no ambiguous dates, so the order must be detected again.
    const order = map.order === 'ymd' ? detectDayOrder(lines, map.day) : map.order;
    return { ...map, order, names: Object.fromEntries(names) };
  }
  return undefined;
}
