/** Types of the tables by their names, and of what a list of columns selects from them. */
import type { Database } from './database.types.ts';

type Tables = Database['public']['Tables'];

/** Functions over a row, which a list of columns names like a column. */
interface ComputedFields {
  projects: {
    /** The figure of a client that the page quotes while they consent, else the metric that was typed. */
    key_metric: string;
  };
}

export type Row<Table extends keyof Tables> = Tables[Table]['Row'];
export type Insert<Table extends keyof Tables> = Tables[Table]['Insert'];
export type Update<Table extends keyof Tables> = Tables[Table]['Update'];

/** The tables whose rows are drafts or published: those of the kinds of content. */
export type ContentTable = {
  [Table in keyof Tables]: Row<Table> extends { id: string; status: string; updated_at: string } ? Table : never;
}[keyof Tables];

/** Everything of a row that can be selected. */
export type Read<Table extends keyof Tables> = Row<Table> &
  (Table extends keyof ComputedFields ? ComputedFields[Table] : unknown);

/** Type of the rows that `select('id, title')` gives, from the text itself, so that columns are written once. */
export type Selected<Table extends keyof Tables, Columns extends string> = Pick<
  Read<Table>,
  ColumnsIn<Columns> & keyof Read<Table>
>;

/** 'id' | 'title' from 'id, title'. */
export type ColumnsIn<List extends string> = List extends `${infer First}, ${infer Rest}`
  ? First | ColumnsIn<Rest>
  : List;
