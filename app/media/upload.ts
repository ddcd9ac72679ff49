/** Parts that both ways to upload a file share. */

export interface UploadOptions {
  /** Is told how much is sent, from 0 to 1. */
  onProgress?: (share: number) => void;
  /**
   * Is told when a large file waits for the connection, and when it goes on. Without it, a connection that breaks off
   * ends the upload.
   */
  onStall?: (isStalled: boolean) => void;
  signal?: AbortSignal;
}

/** Returns the message of an answer for a person, with what the server says beyond the words of Supabase Storage. */
export function messageIn(answer: string, status: number): string {
  try {
    const { message, details }: { message?: unknown; details?: unknown } = JSON.parse(answer);
    if (typeof message === 'string') return typeof details === 'string' ? `${message}: ${details}` : message;
  } catch {
    // A proxy in between may answer with a page of its own.
  }
  return `The server answered with status ${status}.`;
}
