import { errorCode, messageOf } from '@signalfjord/backend';

/** Result of one check. */
export interface Finding {
  /** `error` makes the command exit with code 1. `warn` may be intended. */
  state: 'ok' | 'warn' | 'error';
  /** Checked component, in one or two words. */
  subject: string;
  /** Problem and how to fix it, or the confirmed state. */
  message: string;
}

export const ok = (subject: string, message: string): Finding => ({ state: 'ok', subject, message });
export const warning = (subject: string, message: string): Finding => ({ state: 'warn', subject, message });
export const failure = (subject: string, message: string): Finding => ({ state: 'error', subject, message });

/** Returns the first line of an error message, without credentials in URLs. */
export function reasonOf(error: unknown): string {
  const message = messageOf(error) || errorCode(error) || String(error);
  const reason = message === 'fetch failed' && error instanceof Error && error.cause ? reasonOf(error.cause) : message;
  return (reason.split('\n')[0] ?? '').replaceAll(/:\/\/[^@\s/]+@/g, '://').slice(0, 200);
}

/**
 * Returns how to fix a rejected TLS certificate, or undefined for other errors. Libraries replace the code of the TLS
 * error (https://nodejs.org/api/tls.html#x509-certificate-error-codes) and keep it in `originalCode`.
 */
export function certificateAdvice(error: unknown): string | undefined {
  const code = error instanceof Error && 'originalCode' in error ? String(error.originalCode) : errorCode(error);
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'its certificate has expired. Its operator must renew it. If it is still valid, check the clock of this machine';
    case 'CERT_NOT_YET_VALID':
      return 'its certificate is not valid yet. Check the clock of this machine';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'its certificate is for another host. Use the host name in the certificate';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return 'its certificate is not signed by a trusted authority. Set NODE_EXTRA_CA_CERTS to the CA file';
    default:
      return undefined;
  }
}
