export interface TabSearch {
  /** Open section. Default: the first one. */
  tab?: string;
  /** Release in which the section is edited, instead of on the site. */
  release?: string;
}

export function readTab({ tab, release }: Record<string, unknown>): TabSearch {
  return { ...(typeof tab === 'string' && { tab }), ...(typeof release === 'string' && { release }) };
}
