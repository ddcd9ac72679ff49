/** Options and error messages of both upload methods. */

export interface UploadOptions {
  /** Called with the share sent, from 0 to 1. */
  onProgress?: (share: number) => void;
  /** Called when a large upload loses or regains the connection. If omitted, a lost connection fails the upload. */
  onStall?: (isStalled: boolean) => void;
  signal?: AbortSignal;
}

/** Extracts a message for the user from a storage response, including the details that the server sent. */
export function readErrorMessage(body: string, status: number): string {
  try {
    const { message, details }: { message?: unknown; details?: unknown } = JSON.parse(body);
    if (typeof message === 'string') return typeof details === 'string' ? `${message}: ${details}` : message;
  } catch {
    // Proxies may respond with HTML.
  }
  return `The server returned status ${status}.`;
}
