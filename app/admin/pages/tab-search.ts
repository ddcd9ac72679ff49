export interface TabSearch {
  /** The section that is open; the first one without. */
  tab?: string;
  /** The release in which the section is edited, instead of on the site. */
  release?: string;
}

export function readTab({ tab, release }: Record<string, unknown>): TabSearch {
  return { ...(typeof tab === 'string' && { tab }), ...(typeof release === 'string' && { release }) };
}
