/** Types of table rows and of selected columns. */
import type { Database } from './database.types.ts';

type Tables = Database['public']['Tables'];

/** Computed columns, which are SQL functions of a row. */
interface ComputedFields {
  projects: {
    /** The quoted client figure if the client has consented, otherwise the entered metric. */
    key_metric: string;
  };
}

export type Row<Table extends keyof Tables> = Tables[Table]['Row'];
export type Insert<Table extends keyof Tables> = Tables[Table]['Insert'];
export type Update<Table extends keyof Tables> = Tables[Table]['Update'];

/** Tables with a draft or published status: the kinds of content. */
export type ContentTable = {
  [Table in keyof Tables]: Row<Table> extends { id: string; status: string; updated_at: string } ? Table : never;
}[keyof Tables];

/** All selectable columns of a row. */
export type Read<Table extends keyof Tables> = Row<Table> &
  (Table extends keyof ComputedFields ? ComputedFields[Table] : unknown);

/** Row type of `select('id, title')`, derived from the column list. */
export type Selected<Table extends keyof Tables, Columns extends string> = Pick<
  Read<Table>,
  ColumnsIn<Columns> & keyof Read<Table>
>;

/** 'id' | 'title' for 'id, title'. */
export type ColumnsIn<List extends string> = List extends `${infer First}, ${infer Rest}`
  ? First | ColumnsIn<Rest>
  : List;
