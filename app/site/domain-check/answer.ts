/** The answer to POST /domain-check, as the server writes it and the page reads it. */

/** One of the three records, in a sentence: what stands there, and what to do. */
export interface DomainFinding {
  name: 'SPF' | 'DKIM' | 'DMARC';
  /** 'unread' if the record, or a part of it, could not be checked: it is neither good nor known to be wrong. */
  state: 'good' | 'change' | 'unread';
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
