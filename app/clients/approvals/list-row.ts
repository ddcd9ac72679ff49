/** A row of a list that waits for a yes, as its readers see it. */
export interface ListRow {
  line: number;
  company: string;
  domain: string;
  person: string;
  /** Reason for which the row is on the list; empty if the file gave none. */
  note: string;
  hint: string;
  is_vetoed: boolean;
  of_company: number;
}

/** 'Kari Moe, CEO', or the best that is known of a row. */
export function nameOfRow({ person, company, hint, domain }: ListRow): string {
  return person || company || hint || domain;
}

/** Returns what is known of a row besides its name, such as ['Fjell AS', 'line 4']. */
export function factsOfRow(row: ListRow): string[] {
  const known = new Set([row.company, row.hint || row.domain]);
  return [...known].filter((word) => word && word !== nameOfRow(row)).concat(`line ${row.line}`);
}
