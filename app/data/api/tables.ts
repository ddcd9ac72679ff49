/** Types of the tables by their names, and of what a list of columns selects from them. */
import type { Database } from '../database.types.ts';

type Tables = Database['public']['Tables'];

export type Row<Table extends keyof Tables> = Tables[Table]['Row'];
export type Insert<Table extends keyof Tables> = Tables[Table]['Insert'];
export type Update<Table extends keyof Tables> = Tables[Table]['Update'];

/** The tables whose rows are drafts or published: those of the kinds of content. */
export type ContentTable = {
  [Table in keyof Tables]: Row<Table> extends { id: string; status: string; updated_at: string } ? Table : never;
}[keyof Tables];

/** Type of the rows that `select('id, title')` gives, from the text itself, so that columns are written once. */
export type Selected<Table extends keyof Tables, Columns extends string> = Pick<
  Row<Table>,
  ColumnsIn<Columns> & keyof Row<Table>
>;

/** 'id' | 'title' from 'id, title'. */
export type ColumnsIn<List extends string> = List extends `${infer First}, ${infer Rest}`
  ? First | ColumnsIn<Rest>
  : List;
