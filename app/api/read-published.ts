import type { WithPictures } from './pictures.ts';
import type { ColumnsIn, ContentTable, Read, Row, Selected } from './tables.ts';
import { publicApi } from './visitor-api.ts';

type Column<Table extends ContentTable> = keyof Row<Table> & string;

interface PublishedList<Table extends ContentTable, Columns extends string> {
  table: Table;
  /** Columns in the syntax of `select()`, such as 'id, title'. */
  columns: ColumnsIn<Columns> extends keyof Read<Table> ? Columns : never;
  order: (Column<Table> | `${Column<Table>} desc`)[];
  /** Defaults to all items. */
  limit?: number | undefined;
}

/** Reads the published items of a kind anonymously, with the metadata of their pictures. */
export async function readPublished<Table extends ContentTable, Columns extends string>(
  { table, columns, order, limit }: PublishedList<Table, Columns>,
  signal: AbortSignal,
): Promise<WithPictures<Selected<Table, Columns>>[]> {
  const anyTable: ContentTable = table;
  let request = (await publicApi()).from(anyTable).select<string>(columns).eq('status', 'published');
  for (const { column, ascending } of parseOrder(order.join(', '))) request = request.order(column, { ascending });
  if (limit) request = request.limit(limit);
  const { data } = await request
    .abortSignal(signal)
    .throwOnError()
    .overrideTypes<Selected<Table, Columns>[], { merge: false }>();
  return describePictures(data, signal);
}

/** Adds picture metadata. Sends no request if the rows contain no library pictures. */
export async function describePictures<Item extends object>(
  rows: Item[],
  signal: AbortSignal,
): Promise<WithPictures<Item>[]> {
  if (!JSON.stringify(rows).includes('/content-media/')) return rows;
  return (await import('./picture-metadata.ts')).addPictureMetadata(rows, signal);
}

/** Parses an order such as 'display_order, created_at desc'. */
export function parseOrder(order: string): { column: string; ascending: boolean }[] {
  return order.split(', ').map((term) => {
    const [column = '', direction] = term.split(' ');
    return { column, ascending: direction !== 'desc' };
  });
}
