export interface TabSearch {
  /** The section that is open; the first one without. */
  tab?: string;
}

export function readTab({ tab }: Record<string, unknown>): TabSearch {
  return typeof tab === 'string' ? { tab } : {};
}
