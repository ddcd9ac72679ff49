/** A row of a list that waits for a yes, as its readers see it. */
export interface ListRow {
  line: number;
  company: string;
  domain: string;
  person: string;
  hint: string;
  is_vetoed: boolean;
  of_company: number;
}

/** 'Kari Moe, CEO', or the best that is known of a row. */
export function nameOfRow({ person, company, hint, domain }: ListRow): string {
  return person || company || hint || domain;
}
