/** Response of POST /domain-check. */

/** Result for one of the three records: current state and recommendation. */
export interface DomainFinding {
  name: 'SPF' | 'DKIM' | 'DMARC';
  /** 'unread' if the record, or part of it, could not be looked up. */
  state: 'good' | 'change' | 'unread';
  sentence: string;
  /** Published record. Null if missing or ambiguous. */
  record: string | null;
}

export interface DomainCheck {
  /** Normalized to ASCII. */
  domain: string;
  /** True if the domain has a null MX, so it accepts no email. */
  isClosed: boolean;
  findings: DomainFinding[];
}
