export interface TabSearch {
  /** Open tab. Default: the first tab. */
  tab?: string;
  /** Release in which the section is edited. Without it, the section is edited on the site. */
  release?: string;
}

export function readTab({ tab, release }: Record<string, unknown>): TabSearch {
  return { ...(typeof tab === 'string' && { tab }), ...(typeof release === 'string' && { release }) };
}
