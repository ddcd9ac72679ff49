/** Result for one of the three records. */
export interface DomainFinding {
  name: 'SPF' | 'DKIM' | 'DMARC';
  /** `unknown` if the record, or part of it, could not be read. */
  state: 'good' | 'needs-change' | 'unknown';
  /** Recommendation for the visitor. */
  message: string;
  /** Published record. Null if missing or ambiguous. */
  record: string | null;
}

/** Response of POST /domain-check. */
export interface DomainCheck {
  /** Normalized to ASCII. */
  domain: string;
  /** True if the domain has a null MX record. */
  acceptsNoEmail: boolean;
  findings: DomainFinding[];
}
