/** The answer to POST /domain-check, as the server writes it and the page reads it. */

/** One of the three records, in a sentence: what stands there, and what to do. */
export interface DomainFinding {
  name: 'SPF' | 'DKIM' | 'DMARC';
  state: 'good' | 'weak' | 'bad';
  sentence: string;
  /** The record as it stands there; null when there is none, or more than one. */
  record: string | null;
}

export interface DomainCheck {
  /** In ASCII, without what was typed around it. */
  domain: string;
  /** True when its DNS says that it receives no mail (a null MX). */
  isClosed: boolean;
  findings: DomainFinding[];
}
