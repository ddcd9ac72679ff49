/** Row of a list as shown to the client. */
export interface ListRow {
  line: number;
  company: string;
  domain: string;
  person: string;
  /** Reason why the row is on the list. May be empty. */
  note: string;
  /** Masked email address, such as k***@kunde.example. May be empty. */
  hint: string;
  is_vetoed: boolean;
  /** Number of rows of the list with the same domain. */
  company_rows: number;
}

/** Returns the person's name. If it is missing, returns the company, the masked address or the domain. */
export function formatRowName({ person, company, hint, domain }: ListRow): string {
  return person || company || hint || domain;
}

/** Secondary details of a row, such as ['Fjell AS', 'line 4']. */
export function listRowDetails(row: ListRow): string[] {
  const details = new Set([row.company, row.hint || row.domain]);
  return [...details].filter((detail) => detail && detail !== formatRowName(row)).concat(`line ${row.line}`);
}
