import { errorCode, messageOf } from '@signalfjord/backend';

/** Result of one check. */
export interface Finding {
  /** `wrong` ends the command with code 1; a `note` is for the owner to judge. */
  state: 'ok' | 'note' | 'wrong';
  /** Subject of the check, in a word or two. */
  subject: string;
  /** State of the subject, and unless it is ok what to do. */
  words: string;
}

export const ok = (subject: string, words: string): Finding => ({ state: 'ok', subject, words });
export const note = (subject: string, words: string): Finding => ({ state: 'note', subject, words });
export const wrong = (subject: string, words: string): Finding => ({ state: 'wrong', subject, words });

/** Returns what a library or a server said of a failure, in one line without the secrets of a URL. */
export function reasonOf(error: unknown): string {
  const said = messageOf(error) || errorCode(error) || String(error);
  const reason = said === 'fetch failed' && error instanceof Error && error.cause ? reasonOf(error.cause) : said;
  return (reason.split('\n')[0] ?? '').replaceAll(/:\/\/[^@\s/]+@/g, '://').slice(0, 200);
}

/**
 * Returns what to do about a certificate that is refused; undefined when the failure is another one. Libraries put a
 * code of their own over that of TLS (https://nodejs.org/api/tls.html#x509-certificate-error-codes), and keep it beside.
 */
export function certificateAdvice(error: unknown): string | undefined {
  const code = error instanceof Error && 'originalCode' in error ? String(error.originalCode) : errorCode(error);
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'its certificate has ended, and whoever runs that server must renew it; see the clock of this machine, if theirs has not';
    case 'CERT_NOT_YET_VALID':
      return 'its certificate is not valid yet: see the clock of this machine';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'its certificate is for another host: write the name that stands in it';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return 'nobody whom this machine trusts signed its certificate: name the file of its authority in NODE_EXTRA_CA_CERTS';
    default:
      return undefined;
  }
}
